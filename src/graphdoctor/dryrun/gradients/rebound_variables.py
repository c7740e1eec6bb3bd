"""What a tape does not follow: a tensor in place of a variable, what a loop of the graph takes out of one."""

import ast

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import Loss
from graphdoctor.dryrun.tracing.operations import is_followed, loss_here
from graphdoctor.dryrun.values import Constant, Dictionary, Given, Opaque, Sequence, Tensor, Value, Variable
from graphdoctor.recording.format import SLICING


def note_slicing(machine: Machine, holder: Value, index: Value, node: ast.AST) -> None:
    """Write down `x[…]` in a loop of the graph, where its gradient may be asked for."""
    graph = machine.graph
    if graph is None or not machine.tapes or not graph.loops:
        return
    known = isinstance(holder, (Tensor, Variable, Given)) or (isinstance(holder, Opaque) and holder.origin)
    if known and is_followed(machine, holder):
        machine.log.library_call(SLICING, node, {"tensor": holder, "index": index}, recorded=True)


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
