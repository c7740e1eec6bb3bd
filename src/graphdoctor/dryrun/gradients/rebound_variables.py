"""A tensor that takes the place of a variable: the tape does not watch it."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import Loss
from graphdoctor.dryrun.tracing.operations import loss_here
from graphdoctor.dryrun.values import Constant, Dictionary, Sequence, Tensor, Value, Variable


def replacing(machine: Machine, value: Value, old: object, node: ast.AST) -> Value:
    """The value as a name, attribute or element gets it, marked where a variable was before."""
    if value.__class__ is Constant:
        return value
    if isinstance(value, Tensor) and not value.rebound:
        mark = _mark(machine, old, node)
        return _marked(value, mark) if mark is not None else value
    if isinstance(value, Sequence) and isinstance(old, Sequence) and value is not old:
        return _replacing_items(machine, value, old, node)
    if isinstance(value, Dictionary) and isinstance(old, Dictionary) and value is not old:
        for key, item in value.entries.items():
            value.cells[key] = replacing(machine, item, old.cells.get(key), node)
    return value


def _replacing_items(machine: Machine, value: Sequence, old: Sequence, node: ast.AST) -> Value:
    before, after = old.items, value.items
    if not before or not after or len(before) != len(after):
        return value
    items = tuple(replacing(machine, new, past, node) for new, past in zip(after, before, strict=True))
    if all(new is kept for new, kept in zip(after, items, strict=True)):
        return value
    return Sequence(value.kind, items, value.origin, None, value.count, value.fields)


def _mark(machine: Machine, old: object, node: ast.AST) -> Loss | None:
    if isinstance(old, Variable):
        return loss_here(machine, "rebound", "", node)
    return old.rebound if isinstance(old, Tensor) else None


def _marked(value: Tensor, mark: Loss) -> Tensor:
    copied = value.moved(value.origin)
    copied.rebound = mark
    return copied
