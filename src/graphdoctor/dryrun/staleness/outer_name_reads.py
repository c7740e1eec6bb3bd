"""Where functions read a name from around them, or their own one which a function inside them sets."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from graphdoctor.dryrun.staleness.own_writes import FUNCTIONS
from graphdoctor.source.nodes import walk


def read_of_outer_name(function: ast.AST, name: str) -> ast.Name | None:
    """Where a function reads a name that is not its own."""
    if _is_own(function, name):
        return None
    return next(_reads(function, name, ()), None)


def read_of_shared_name(function: ast.AST, name: str, traced: Collection[ast.AST]) -> ast.Name | None:
    """Where a function reads its own name, outside the traced function in it that sets the name."""
    inner = [node for node in walk(function) if node in traced and node is not function]
    if not inner or not _is_own(function, name):
        return None
    return next(_reads(function, name, inner), None)


def _reads(function: ast.AST, name: str, without: Collection[ast.AST]) -> Iterator[ast.Name]:
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        if node in without:
            continue
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node
        waiting += ast.iter_child_nodes(node)


def _is_own(function: ast.AST, name: str) -> bool:
    """Whether a name is a parameter of a function, or set in it and not declared as another's."""
    if not isinstance(function, FUNCTIONS):
        return False
    own = False
    waiting: list[ast.AST] = [function.args, *function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return False
        own = own or (isinstance(node, ast.arg) and node.arg == name)
        own = own or (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return own
