"""Reads that get what the same call has written right before: what a trace left there is gone by then."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphdoctor.source.nodes import spelled, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SETTLING = ("abs", "bool", "float", "int", "list", "max", "min", "round", "set", "sorted", "str", "tuple")


def is_counting(statement: ast.AST, name: str) -> bool:
    """Whether a statement computes a name or attribute from its own old value: `n += 1`, `n = n + 1`."""
    if isinstance(statement, ast.AugAssign):
        return spelled(statement.target) == name
    return any(True for _ in own_operands(statement, name))


def own_operands(statement: ast.AST, name: str = "") -> Iterator[ast.expr]:
    """The old value in `n = n + 1`, of this name or of whichever is set."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return
    target, value = statement.targets[0], statement.value
    if not isinstance(target, (ast.Attribute, ast.Name)) or not isinstance(value, ast.BinOp):
        return
    own = spelled(target)
    if not name or own == name:
        for side in (value.left, value.right):
            if side.__class__ is target.__class__ and spelled(side) == own:
                yield side


def is_settled(statement: ast.AST | None, name: str) -> bool:
    """Whether an assignment gives the same when it is done again: `n = n // k * k`, `n = max(n, 1)`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    value = statement.value
    if spelled(statement.targets[0]) != name:
        return False
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        others = [each for each in value.args if spelled(each) != name]
        plain = all(isinstance(each, ast.Constant) for each in others)
        return value.func.id in SETTLING and plain and len(others) < len(value.args)
    if isinstance(value, ast.BoolOp):
        return spelled(value.values[0]) == name
    return isinstance(value, ast.BinOp) and _is_rounded(value, name)


def _is_rounded(value: ast.BinOp, name: str) -> bool:
    """`n // k * k` or `n - n % k`."""
    inner, outer = value.left, value.right
    if isinstance(value.op, ast.Mult) and isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.FloorDiv):
        return spelled(inner.left) == name and spelled(inner.right) == spelled(outer)
    if isinstance(value.op, ast.Sub) and isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Mod):
        return spelled(inner) == name == spelled(outer.left)
    return False


def is_of_own_write(read: ast.AST, function: ast.AST | None) -> bool:
    """Whether a function that reads state has set it before, or counts it itself.

    What it sets is its own only as long as it calls nothing in between, which may be the trace; what it
    counts at each call of its own is its own count.
    """
    if not isinstance(function, FUNCTIONS) or not isinstance(read, (ast.Attribute, ast.Name)):
        return False
    path = list(_path_to(function.body, read))
    whole = _element_around(path[-1], read) if path else None
    names = {spelled(read), spelled(whole) if whole is not None else spelled(read)}
    quiet = True
    for block, position in _blocks(function.body, path):
        for statement in reversed(block[:position]):
            if is_counting(statement, spelled(read)):
                return True
            if quiet and _sets(statement, names):
                return True
            quiet = quiet and not any(isinstance(part, ast.Call) for part in walk(statement))
    return False


def _sets(statement: ast.stmt, names: set[str]) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    return any(spelled(target) in names for target in targets)


def _element_around(statement: ast.stmt, read: ast.AST) -> ast.Subscript | None:
    """`self.losses["a"]` of which `self.losses` is read."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Subscript) and node.value is read:
            return node
    return None


def _path_to(body: list[ast.stmt], read: ast.AST) -> Iterator[ast.stmt]:
    """The statements around an expression, the outermost first."""
    for statement in body:
        if any(node is read for node in ast.walk(statement)):
            yield statement
            for block in _inner(statement):
                yield from _path_to(block, read)
            return


def _blocks(body: list[ast.stmt], path: list[ast.stmt]) -> Iterator[tuple[list[ast.stmt], int]]:
    """The lists of statements on the way, the innermost first, each with the place of the way in it."""
    found = []
    for statement in path:
        found.append((body, body.index(statement)))
        following = path[path.index(statement) + 1 :]
        body = next((block for block in _inner(statement) if following and following[0] in block), [])
    return reversed(found)


def _inner(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return
    for field in ("body", "orelse", "finalbody"):
        block = getattr(statement, field, None)
        if isinstance(block, list) and block:
            yield block
    for handler in getattr(statement, "handlers", ()):
        yield handler.body
