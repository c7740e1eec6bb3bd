"""Keras: layers and models that give more than one tensor."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import Path, merge_paths
from graphdoctor.dryrun.tracing.operations import loss_here, recording_tapes
from graphdoctor.dryrun.values import (
    FALSE,
    UNKNOWN,
    Dictionary,
    Instance,
    KerasTensor,
    LibraryObject,
    Opaque,
    Sequence,
    Tensor,
    Unknown,
    Value,
    is_known_text,
)
from graphdoctor.dryrun.values.iteration import fresh

RUNNING = {"RNN": "cell", "Bidirectional": "layer", "TimeDistributed": "layer"}  # and what each of them runs

# Run on 2.21: these give a list of tensors as a list.
HANDING_ON = (
    "Activation",
    "ActivityRegularization",
    "Dropout",
    "GaussianDropout",
    "GaussianNoise",
    "Identity",
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
    if _gives_states(holder) or _is_merged_by_none(holder):
        return UNKNOWN
    if name in HANDING_ON and not isinstance(arguments.get(0, "inputs"), (Tensor, KerasTensor)):
        return Opaque(result.paths) if result.paths else UNKNOWN
    if _runs_own_cell(holder):
        return Opaque(result.paths) if result.paths else UNKNOWN
    scores = arguments.keywords.get("return_attention_scores", FALSE)
    if truth(scores) is not False:
        both = (result, type(result)(result.dtype, None, result.origin))
        return Sequence("tuple", both, machine.origin(node)) if truth(scores) else UNKNOWN
    outputs = holder.cells.get("output") if holder.kind == "model" else None
    if isinstance(outputs, Sequence) and outputs.items and len(outputs.items) == 1:
        if outputs.kind == "tuple" and machine.module.keras != 3:
            return UNKNOWN
        outputs = outputs.items[0]  # a list of one output is that output (run on 2.21)
    leaves: list[tuple[KerasTensor, Tensor]] = []
    shaped = _shaped_like(machine, outputs, result, node, leaves)
    _connect(machine, leaves, node)
    return shaped


def _gives_states(holder: LibraryObject) -> bool:
    """Whether a layer, or the one that it runs, gives its states as well, or it is unknown."""
    layers = [each for each in (holder, run_by(holder)) if isinstance(each, LibraryObject)]
    return any(truth(each.arguments.get("return_state", FALSE)) is not False for each in layers)


def _is_merged_by_none(holder: LibraryObject) -> bool:
    """Whether a `Bidirectional` gives both of its results, or it is unknown."""
    mode = holder.arguments.get("merge_mode")
    return mode is not None and not is_known_text(mode)


def run_by(holder: LibraryObject) -> Value | None:
    """The cell or layer that a layer runs, and has its variables from."""
    key = RUNNING.get(holder.name.rpartition(".")[2])
    return None if key is None else holder.arguments.get(key, holder.arguments.get(0))


def _runs_own_cell(holder: LibraryObject) -> bool:
    """Whether a layer runs a cell or layer that is not Keras' own: what it gives, that decides."""
    inner = run_by(holder)
    return isinstance(inner, (Instance, Unknown)) or (
        isinstance(inner, LibraryObject) and _runs_own_cell(inner)
    )


def _shaped_like(
    machine: Machine,
    outputs: object,
    result: Tensor | KerasTensor,
    node: ast.AST,
    leaves: list[tuple[KerasTensor, Tensor]],
    alone: bool = True,
) -> Value:
    """The outputs of a functional model: one tensor, or as many as it was made with."""
    if isinstance(outputs, Sequence):
        if outputs.items is None:
            return Sequence(outputs.kind, None, machine.origin(node), result, outputs.count)
        several = len(outputs.items) > 1
        items = tuple(
            _shaped_like(machine, each, result, node, leaves, not several) for each in outputs.items
        )
        return Sequence(outputs.kind, items, machine.origin(node))
    if isinstance(outputs, Dictionary):
        several = len(outputs.cells) > 1
        cells = {
            key: _shaped_like(machine, each, result, node, leaves, not several)
            for key, each in outputs.cells.items()
        }
        return Dictionary(cells, machine.origin(node))
    if isinstance(outputs, Unknown):  # of a layer that is unknown: one tensor, or several
        return Opaque(result.paths) if isinstance(result, Tensor) and result.paths else UNKNOWN
    if alone or not isinstance(outputs, KerasTensor) or not isinstance(result, Tensor):
        return result
    own = Tensor(outputs.dtype, None, result.origin, result.paths)
    leaves.append((outputs, own))
    return own


def _connect(machine: Machine, leaves: list[tuple[KerasTensor, Tensor]], node: ast.AST) -> None:
    """An output is computed from each other output whose last layer lies on the way to it."""
    here = loss_here(machine, "outside", "layer", node)
    recording = recording_tapes(machine)
    ways = [
        (made, {other.number: Path(_having(made) & recording, began=here)})
        for output, made in leaves
        for placeholder, other in leaves
        if other is not made and placeholder.layers and placeholder.layers[-1] in output.layers[:-1]
    ]
    for made, way in ways:
        made.paths = merge_paths(made.paths, way)


def _having(made: Tensor) -> frozenset[int]:
    return frozenset().union(*(path.tapes for path in (made.paths or {}).values()))
