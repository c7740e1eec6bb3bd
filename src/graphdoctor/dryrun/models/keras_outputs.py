"""Keras: layers and models that give more than one tensor."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.conditions import truth
from graphdoctor.dryrun.iterating import fresh
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.values import (
    FALSE,
    UNKNOWN,
    Dictionary,
    KerasTensor,
    LibraryObject,
    Opaque,
    Sequence,
    Tensor,
    Unknown,
    Value,
)


def outputs_of(
    machine: Machine, holder: LibraryObject, arguments: Arguments, result: Value, node: ast.AST
) -> Value:
    """What calling a layer or model gives, where `result` is the tensor that it computes."""
    if not isinstance(result, (Tensor, KerasTensor)):
        return result
    name = holder.name.rpartition(".")[2]
    if name.endswith("Cell") or name == "StackedRNNCells":
        states = fresh(machine, arguments.get(1, "states"), node)
        return Sequence("tuple", (result, states), machine.origin(node))
    if truth(holder.arguments.get("return_state", FALSE)) is not False:
        return UNKNOWN
    scores = arguments.keywords.get("return_attention_scores", FALSE)
    if truth(scores) is not False:
        both = (result, type(result)(result.dtype, None, result.origin))
        return Sequence("tuple", both, machine.origin(node)) if truth(scores) else UNKNOWN
    return _shaped_like(machine, holder.cells.get("outputs"), result, node)


def _shaped_like(machine: Machine, outputs: object, result: Tensor | KerasTensor, node: ast.AST) -> Value:
    """The outputs of a functional model: one tensor, or as many as it was made with."""
    if isinstance(outputs, Sequence):
        if outputs.items is None:
            return Sequence("list", None, machine.origin(node), result, outputs.count)
        items = tuple(_shaped_like(machine, each, result, node) for each in outputs.items)
        return Sequence("list", items, machine.origin(node))
    if isinstance(outputs, Dictionary):
        cells = {key: _shaped_like(machine, each, result, node) for key, each in outputs.cells.items()}
        return Dictionary(cells, machine.origin(node))
    if isinstance(outputs, Unknown):  # of a layer that nobody knows: one tensor, or several
        return Opaque(result.paths) if isinstance(result, Tensor) and result.paths else UNKNOWN
    return result
