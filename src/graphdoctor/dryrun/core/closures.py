"""What a function reads from around it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphdoctor.dryrun.core.context import Scope
from graphdoctor.dryrun.values import Function
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered


def captured_names(function: Function) -> Iterator[tuple[Scope, str]]:
    """The names from around it that a function reads."""
    for name in names_read(function.node):
        scope: Scope | None = function.scope
        while scope is not None:
            if name in scope.cells:
                yield scope, name
                break
            scope = scope.parent


@remembered(4096)
def names_read(node: ast.AST) -> tuple[str, ...]:
    """The names that are read somewhere inside and come from outside."""
    own: set[str] = set()
    found: dict[str, None] = {}
    for each in walk(node):
        if isinstance(each, ast.Name):
            if _is_read(each):
                found[each.id] = None
            else:
                own.add(each.id)
        elif isinstance(each, ast.arg):
            own.add(each.arg)
    return tuple([name for name in found if name not in own])


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


@remembered(4096)
def names_bound(node: ast.AST) -> frozenset[str]:
    """The names that are given a value somewhere inside."""
    return frozenset(each.id for each in walk(node) if isinstance(each, ast.Name) and not _is_read(each))


@remembered(4096)
def own_attributes(node: ast.AST) -> frozenset[str] | None:
    """The attributes that a method names of its first parameter; None where it hands that on."""
    parameters = getattr(node, "args", None)
    if parameters is None or not parameters.args:
        return None
    own = parameters.args[0].arg
    named = [each for each in walk(node) if isinstance(each, ast.Attribute)]
    bases = {id(each.value) for each in named if isinstance(each.value, ast.Name) and each.value.id == own}
    uses = [each for each in walk(node) if isinstance(each, ast.Name) and each.id == own]
    if any(id(each) not in bases for each in uses):
        return None
    return frozenset(each.attr for each in named if id(each.value) in bases)


@remembered(4096)
def is_only_computed(node: ast.AST, name: str) -> bool:
    """Whether a name is nothing but a number in sums and comparisons: nobody calls it or looks into it."""
    operands = {
        id(part)
        for each in walk(node)
        if isinstance(each, (ast.BinOp, ast.UnaryOp, ast.Compare))
        for part in ast.iter_child_nodes(each)
    }
    uses = [each for each in walk(node) if isinstance(each, ast.Name) and each.id == name]
    return all(id(each) in operands for each in uses)
