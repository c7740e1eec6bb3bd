"""Loops and what statements set, by the text alone."""

import ast

from graphdoctor.refactoring.syntax.bodies import Body
from graphdoctor.source.scopes import Loop

LOOPS = (ast.For, ast.While)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


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
