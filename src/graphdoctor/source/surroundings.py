"""What stands around a node: its function, its block, its loop; and what a statement is, and sets."""

import ast
import re
from collections.abc import Iterator

from graphdoctor.source.functions import Function
from graphdoctor.source.module import Module
from graphdoctor.source.scopes import Loop, Scope, parameters

PART = re.compile(r"(?P<name>[\w.]+)\[(?P<index>\d+)\]")
LOOPS = (ast.For, ast.While)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class _Parents(dict[ast.AST, ast.AST]):
    """The node around each node of one module."""


def parents_of(module: Module) -> dict[ast.AST, ast.AST]:
    """The node around each node, made once for each module."""
    known = module.attached.get(_Parents)
    if not isinstance(known, _Parents):
        known = _Parents(
            (child, node) for node in ast.walk(module.tree) for child in ast.iter_child_nodes(node)
        )
        module.attached[_Parents] = known
    return known


def around(module: Module, node: ast.AST) -> Iterator[ast.AST]:
    """What stands around a node, the innermost first, the module last."""
    parents = parents_of(module)
    while (outer := parents.get(node)) is not None:
        yield outer
        node = outer


class Body:
    """A function, and the node around each node of it."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.home: Module = function.home
        self.parents = parents_of(function.home)

    @property
    def scope(self) -> Scope:
        """The scope of the function."""
        return self.function.scope

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, up to the function itself."""
        for outer in around(self.home, node) if node is not self.function.node else ():
            yield outer
            if outer is self.function.node:
                return


def body_around(module: Module, node: ast.AST) -> Body | None:
    """The innermost function around a node."""
    functions = (module.functions.get(outer) for outer in around(module, node))
    return next((Body(function) for function in functions if function is not None), None)


def own_name(body: Body) -> str | None:
    """What a method calls its own object."""
    first = next(parameters(body.function.node), None)
    return first.arg if body.function.owner is not None and not body.function.is_static and first else None


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is a constant alone, which a docstring is."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def has_long_texts(*nodes: ast.AST) -> bool:
    """Whether a text of several lines stands in one of them, whose lines must not be moved."""
    return any(
        isinstance(part, ast.Constant | ast.JoinedStr) and part.lineno != part.end_lineno
        for node in nodes
        for part in ast.walk(node)
    )


def statement_around(module: Module, node: ast.AST) -> ast.stmt | None:
    """The innermost statement that holds a node; the node itself where it is one."""
    return next((each for each in (node, *around(module, node)) if isinstance(each, ast.stmt)), None)


def statement_of(body: Body, node: ast.AST) -> ast.stmt | None:
    """The same within one function."""
    outside = node is not body.function.node and body.function.node not in around(body.home, node)
    return node if isinstance(node, ast.stmt) else None if outside else statement_around(body.home, node)


def whole_if(body: Body, node: ast.AST) -> ast.If | None:
    """The `if` around a node, from its first line: the one that an `elif` belongs to."""
    ifs = (outer for outer in (node, *body.ancestors(node)) if isinstance(outer, ast.If))
    return next((each for each in ifs if not is_elif(body.home, each)), None)


def is_elif(module: Module, node: ast.AST) -> bool:
    """Whether an `if` is written `elif`."""
    return isinstance(node, ast.If) and module.lines[node.lineno - 1][node.col_offset :].startswith("elif")


def block_of(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements among which one stands."""
    parent = parents_of(module).get(statement)
    blocks = (getattr(parent, field, None) for field in ("body", "orelse", "finalbody"))
    return next((block for block in blocks if isinstance(block, list) and statement in block), [])


def first_line(node: ast.AST) -> int:
    """The line on which a node begins, with its decorators."""
    nodes: list[ast.AST] = [node, *getattr(node, "decorator_list", ())]
    return int(min(getattr(each, "lineno", 1) for each in nodes))


def last_line(node: ast.AST) -> int:
    """The line on which a node ends."""
    first: int = getattr(node, "lineno", 1)
    last: int | None = getattr(node, "end_lineno", None)
    return last or first


def indent_of(module: Module, node: ast.AST) -> str | None:
    """What stands before a node on its line; None where that is more than blanks."""
    before = module.lines[getattr(node, "lineno", 1) - 1][: getattr(node, "col_offset", 0)]
    return before if not before.strip() and not is_elif(module, node) else None


def target_of(statement: ast.AST | None, value: ast.AST | None = None) -> ast.expr | None:
    """The one target of a plain assignment, of this value; None for any other statement."""
    plain = isinstance(statement, ast.Assign) and len(statement.targets) == 1
    same = plain and (value is None or getattr(statement, "value", None) is value)
    return statement.targets[0] if same and isinstance(statement, ast.Assign) else None


def name_given(statement: ast.AST | None, value: ast.AST | None = None) -> str:
    """The one name that a plain assignment gives to this value; empty for any other statement."""
    target = target_of(statement, value)
    return target.id if isinstance(target, ast.Name) else ""


def stored_in(node: ast.AST) -> ast.AST:
    """The state that a statement changes, and what is no statement itself."""
    return node.target if isinstance(node, ast.AugAssign | ast.AnnAssign) else set_by(node)


def set_by(node: ast.AST) -> ast.AST:
    """The state that a plain assignment sets, and what is none itself."""
    return node.targets[0] if isinstance(node, ast.Assign) else node


def value_of(node: ast.AST) -> ast.expr | None:
    """What a plain assignment gives to its one name, what is returned, or the expression itself."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Attribute):
        return node.value
    if isinstance(node, ast.Return) and node.value is not None:
        return node.value
    return node if isinstance(node, ast.expr) else None


def value_given(statement: ast.AST | None, name: str) -> ast.expr | None:
    """What a statement gives to a name, or to a part of it (`state[1]`), or returns."""
    part = PART.fullmatch(name)
    if part is not None:
        whole = value_given(statement, part["name"])
        written = whole.elts if isinstance(whole, ast.Tuple | ast.List) else []
        return written[int(part["index"])] if int(part["index"]) < len(written) else None
    if isinstance(statement, ast.Return | ast.AnnAssign):
        return statement.value
    if isinstance(statement, ast.expr):
        return statement
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        found = _given_to(target, statement.value, name) if isinstance(statement, ast.Assign) else None
        if found is not None:
            return found
    return None


def _given_to(target: ast.expr, value: ast.expr, name: str) -> ast.expr | None:
    if isinstance(target, ast.Name | ast.Attribute) and ast.unparse(target) == name:
        return value
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        plain = not any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts))
        if plain and len(target.elts) == len(value.elts):
            pairs = zip(target.elts, value.elts, strict=True)
            return next((found for t, v in pairs if (found := _given_to(t, v, name)) is not None), None)
    return None


def free_name(body: Body, *wished: str) -> str | None:
    """The first of these names that nothing in the function or around it has."""
    return next((name for name in wished if body.scope.lookup(name) is None), None)


def loop_around(body: Body, node: ast.AST) -> ast.For | ast.While | None:
    """The innermost loop around a node."""
    for outer in body.ancestors(node):
        if isinstance(outer, LOOPS):
            return outer
    return None


def binds(loop: Loop, name: str) -> bool:
    """Whether a loop, or anything in its body, gives this name a value."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in ast.walk(loop)
    )


def stored_names(statements: list[ast.stmt]) -> set[str]:
    """The names that statements assign, also deeper inside."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)
    return found


def leaves(statement: ast.If | ast.While) -> bool:
    """Whether one of its ways may leave the function, or a loop around."""
    return any(
        isinstance(part, ast.Return | ast.Raise | ast.Break | ast.Continue)
        for each in (*statement.body, *statement.orelse)
        for part in ast.walk(each)
    )


def return_alike(statement: ast.If | ast.While, parent: ast.AST | None) -> bool:
    """Whether both ways of an `if` do nothing but return as many values: its own, or what follows it."""
    block: list[ast.stmt] = getattr(parent, "body", [])
    after = block[block.index(statement) + 1 :] if statement in block else []
    ways = (statement.body, statement.orelse or after)
    last = [way[0].value for way in ways if len(way) == 1 and isinstance(way[0], ast.Return)]
    sizes = {len(each.elts) if isinstance(each, ast.Tuple) else 0 for each in last if each is not None}
    return isinstance(statement, ast.If) and None not in last and len(last) == 2 and len(sizes) == 1
