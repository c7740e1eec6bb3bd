"""Loops and what statements set, by the text alone."""

import ast

from graphdoctor.rewriting.bodies import Body
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
