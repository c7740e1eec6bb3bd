"""Generated code → the same without AutoGraph's bookkeeping, statement by statement."""

import ast
from collections.abc import Iterator

BOOKKEEPING = ("get_state", "set_state")
HIDDEN_NAMES = ("do_return", "retval_")
DROPPED_CALLS = ("Undefined", "UndefinedReturnValue")
# Which arguments of these say something to a reader.
SHOWN_ARGUMENTS = {"if_stmt": (0, 1, 2, 5), "for_stmt": (0, 2, 5), "while_stmt": (0, 1, 4)}


def statements_by_line(text: str) -> Iterator[tuple[int, str]]:
    """The statements of the generated function, each with the line it stands on."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("tf__"):
            yield node.lineno, f"def {node.name}({_unparse(node.args)}):"
            yield from _body(node.body, 1)
            return
        if isinstance(node, ast.Assign) and _name(node.targets[0]).startswith("tf__"):
            yield node.lineno, _text(node, 0)
            return


def _body(statements: list[ast.stmt], depth: int) -> Iterator[tuple[int, str]]:
    for statement in statements:
        if isinstance(statement, ast.With):
            yield from _body(statement.body, depth)
        elif isinstance(statement, ast.FunctionDef):
            if not statement.name.startswith(BOOKKEEPING):
                yield (
                    statement.lineno,
                    f"{'    ' * depth}def {statement.name}({_unparse(statement.args)}):",
                )
                yield from _body(statement.body, depth + 1)
        elif isinstance(statement, ast.Try) and _returned(statement) is not None:
            value = _simplify(_returned(statement) or ast.Constant(None))
            yield statement.lineno, f"{'    ' * depth}return {_unparse(value)}"
        elif not _is_bookkeeping(statement):
            yield statement.lineno, _text(statement, depth)


def _returned(statement: ast.Try) -> ast.expr | None:
    """The value of `try: do_return = True; retval_ = VALUE`, which is how a `return` is written."""
    for inner in statement.body:
        if isinstance(inner, ast.Assign) and _name(inner.targets[0]).startswith("retval_"):
            return inner.value
    return None


def _is_bookkeeping(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Return):  # `return fscope.ret(retval_, do_return)`
        return statement.value is not None and _unparse(statement.value).startswith("fscope")
    if isinstance(statement, ast.Nonlocal):
        return True
    if not isinstance(statement, ast.Assign):
        return False
    value = statement.value
    called = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
    if called in DROPPED_CALLS or _name(statement.targets[0]).startswith(HIDDEN_NAMES):
        return True
    # `total = ag__.ld(total)`: checks that a name is bound.
    return called == "ld" and _name(statement.targets[0]) == _name(_simplify(value))


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _text(statement: ast.stmt, depth: int) -> str:
    text = _unparse(_simplify(statement))
    return "\n".join("    " * depth + line for line in text.splitlines())


def _simplify(node: ast.AST) -> ast.AST:
    simplified: ast.AST = _Simplify().visit(node)
    return ast.fix_missing_locations(simplified)


class _Simplify(ast.NodeTransformer):
    """`ag__.converted_call(ag__.ld(f), (x,), None, fscope)` → `f(x)`, and the like."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = _operator(node.func)
        if name == "ld" and node.args:
            return node.args[0]
        if name == "converted_call":
            return _plain_call(node)
        if name in SHOWN_ARGUMENTS:
            kept = [node.args[index] for index in SHOWN_ARGUMENTS[name] if index < len(node.args)]
            return ast.Call(ast.Name(name), kept, [])
        if name is not None:
            return ast.Call(ast.Name(name), node.args, node.keywords)
        return node


def _operator(function: ast.expr) -> str | None:
    """The name behind `ag__.`."""
    if isinstance(function, ast.Attribute) and _name(function.value) == "ag__":
        return function.attr
    return None


def _plain_call(node: ast.Call) -> ast.AST:
    function, arguments, keywords = node.args[:3]
    positional: list[ast.expr] = [ast.Starred(arguments)]
    if isinstance(arguments, ast.Tuple):
        positional = list(arguments.elts)
    named = keywords.keywords if isinstance(keywords, ast.Call) else []
    return ast.Call(function, positional, named)


def _unparse(node: ast.AST) -> str:
    """The code of a node; Python 3.10 writes a lambda without arguments with a blank before the colon."""
    return ast.unparse(node).replace("lambda :", "lambda:")
