"""What a function reads from around it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from graphdoctor.dryrun.context import Scope
from graphdoctor.dryrun.values import Function


def captured_names(function: Function) -> Iterator[tuple[Scope, str]]:
    """The names from around it that a function reads."""
    for name in names_read(function.node):
        scope: Scope | None = function.scope
        while scope is not None:
            if name in scope.cells:
                yield scope, name
                break
            scope = scope.parent


@functools.lru_cache(maxsize=4096)
def names_read(node: ast.AST) -> tuple[str, ...]:
    """The names that are read somewhere inside and come from outside."""
    own = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)} | names_bound(node)
    found = (each.id for each in ast.walk(node) if isinstance(each, ast.Name) and _is_read(each))
    return tuple(dict.fromkeys(name for name in found if name not in own))


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


@functools.lru_cache(maxsize=4096)
def names_bound(node: ast.AST) -> frozenset[str]:
    """The names that are given a value somewhere inside."""
    return frozenset(each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not _is_read(each))
