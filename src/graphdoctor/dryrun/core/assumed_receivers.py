"""Assumed receivers of methods that nothing calls: what others may have done to such an object before."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.heap import forget_length
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import NOTHING, UNKNOWN, Class, Instance, Sequence, is_none
from graphdoctor.source.nodes import walk
from graphdoctor.source.remembering import remembered


def open_empty(machine: Machine, made: Instance) -> None:
    """What an object begins with empty or as None, its other methods or a derived class may have filled."""
    for name, value in list(made.cells.items()):
        if isinstance(value, Sequence) and value.items == () and value.kind == "list":
            forget_length(machine.heap, value, UNKNOWN, NOTHING)
        elif is_none(value) and any(name in _set_later(cls.node) for cls in _project_classes(made.cls)):
            machine.heap.put(made.cells, name, UNKNOWN)


def _project_classes(cls: Class) -> list[Class]:
    return [each for each in cls.ancestry if isinstance(each, Class)]


@remembered(4096)
def _set_later(cls: ast.AST) -> frozenset[str]:
    """The attributes that methods of a class set, but for `__init__`."""
    methods = cls.body if isinstance(cls, ast.ClassDef) else []
    return frozenset(
        node.attr
        for method in methods
        if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.name != "__init__"
        for node in walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    )
