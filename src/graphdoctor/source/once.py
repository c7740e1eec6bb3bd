"""Python that runs only the first time anyway: it fills a cache, or makes what was missing."""

import ast

from graphdoctor.source.bodies import Body


def runs_once(body: Body, node: ast.AST) -> bool:
    """Whether the code around asks first if it was done before, and remembers that it did it.

    `if key in cache: return cache[key]`, `if self.table is None:`, `if not self.told:`. Whether such code
    runs while tracing or at a call makes no difference.
    """
    inner = node
    for outer in body.ancestors(node):
        if isinstance(outer, ast.If):
            test = _missing(outer.test) if inner in outer.body else _present(outer.test)
            if inner is not outer.test and _is_remembered(body, test):
                return True
        if outer is body.function.node and isinstance(inner, ast.stmt):
            return any(_leaves_when_done(body, statement) for statement in _before(body, inner))
        inner = outer
    return False


def _before(body: Body, statement: ast.stmt) -> list[ast.stmt]:
    statements = body.function.node.body
    found = isinstance(statements, list) and statement in statements
    return statements[: statements.index(statement)] if isinstance(statements, list) and found else []


def _leaves_when_done(body: Body, statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.body[-1], ast.Return)
        and _is_remembered(body, _present(statement.test))
    )


def _missing(test: ast.expr) -> ast.expr | None:
    """What a test finds missing when it holds."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _present(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.NotIn):
            return test.comparators[0]
        if isinstance(test.ops[0], ast.Is) and _is_none(test.comparators[0]):
            return test.left
    return None


def _present(test: ast.expr) -> ast.expr | None:
    """What a test finds present when it holds."""
    if isinstance(test, ast.Name | ast.Attribute):
        return test
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if isinstance(test.ops[0], ast.In):
            return test.comparators[0]
        if isinstance(test.ops[0], ast.IsNot) and _is_none(test.comparators[0]):
            return test.left
    return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_remembered(body: Body, place: ast.expr | None) -> bool:
    """Whether the function itself stores there, where the next call finds it."""
    if not isinstance(place, ast.Name | ast.Attribute):
        return False
    own = isinstance(place, ast.Name) and place.id in body.scope.bindings
    if own and _spelled(place) not in body.scope.outer_names:
        return False  # its own variable: gone with the call
    wanted = _spelled(place)
    targets = [
        target
        for assign in body.of(ast.Assign)
        for several in assign.targets
        for target in (several.elts if isinstance(several, ast.Tuple) else [several])
    ]
    return any(
        _spelled(target.value if isinstance(target, ast.Subscript) else target) == wanted
        for target in targets
    )


def _spelled(node: ast.expr) -> str:
    return ast.unparse(node)
