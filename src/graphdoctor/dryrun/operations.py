"""An operation of TensorFlow or NumPy on abstract values: its result, its graph, and its gradient's way."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphdoctor.dryrun.dtypes import FLOATS
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.provenance import Loss, Path, Paths, merge_all, through
from graphdoctor.dryrun.values import (
    Array,
    Dictionary,
    KerasTensor,
    Scalar,
    Sequence,
    Shape,
    Tensor,
    TensorArray,
    Value,
    Variable,
)


def operate(
    machine: Machine,
    name: str,
    values: Iterable[Value],
    node: ast.AST,
    dtype: str | None,
    shape: Shape,
    without_gradient: str = "",
    tensor: bool = False,
) -> Value:
    """The result of an operation: a tensor when a tensor is among the values (or asked for), else an array.

    `without_gradient` names the operation where it has no gradient.
    """
    values = list(values)
    parts = [part for value in values for part in numeric_parts(value)]
    if any(isinstance(part, KerasTensor) for part in parts):
        return KerasTensor(dtype, shape, machine.origin(node))
    varies = frozenset().union(*(value.varies for value in values)) if values else frozenset()
    if not tensor and not any(isinstance(part, Tensor | Variable | TensorArray) for part in parts):
        paths = merge_all(paths_of(machine, part) for part in parts)
        return Array(dtype, shape, machine.origin(node), paths, varies)
    for part in parts:
        if isinstance(part, Tensor):
            note_leak(machine, part, node)
    if machine.graph is not None:
        machine.graph.root.operations += 1
    paths = follow(machine, parts, name, node, dtype, without_gradient)
    return Tensor(dtype, shape, machine.origin(node), paths)


def numeric_parts(value: Value, depth: int = 0) -> list[Value]:
    """The tensors, arrays and variables in a value, and Python numbers that were computed from some."""
    if isinstance(value, Tensor | Array | KerasTensor | Variable | TensorArray):
        return [value]
    if isinstance(value, Scalar):
        return [value] if value.paths else []
    if depth > 3:
        return []
    if isinstance(value, Sequence):
        inner = value.items if value.items is not None else (value.cells["element"],)
        return [p for item in inner if isinstance(item, Value) for p in numeric_parts(item, depth + 1)]
    if isinstance(value, Dictionary):
        return [p for item in value.cells.values() for p in numeric_parts(item, depth + 1)]
    return []


def note_leak(machine: Machine, tensor: Tensor, node: ast.AST) -> None:
    """Write down that a tensor is used outside the graph that it belongs to."""
    graph = tensor.graph
    while graph is not None and graph.kind == "callback":
        graph = graph.parent  # what a library calls makes its operations in the graph around
    if graph is not None and graph not in machine.graphs:
        machine.log.leak_used(tensor, node)


def recording_tapes(machine: Machine) -> frozenset[int]:
    """The tapes that write down what happens now."""
    return frozenset(tape.number for tape in machine.tapes if tape not in machine.paused)


def paths_of(machine: Machine, value: Value) -> Paths | None:
    """The ways that lead to a value as it is read now."""
    recording = recording_tapes(machine)
    if isinstance(value, Variable):
        if value.trainable is False:
            return None
        watching = frozenset(t.number for t in machine.tapes if t.watches and t.number in recording)
        return {value.origin.number: Path(watching)}
    paths: Paths | None = getattr(value, "paths", None)
    if isinstance(value, Tensor) and value.watched:
        own = {value.origin.number: Path(value.watched & recording)}
        return {**paths, **own} if paths else own
    return paths


def follow(
    machine: Machine,
    parts: Iterable[Value],
    name: str,
    node: ast.AST,
    dtype: str | None,
    without_gradient: str = "",
) -> Paths | None:
    """The ways to the result of an operation on these values."""
    paths = merge_all(paths_of(machine, part) for part in parts)
    if not paths:
        return None
    if without_gradient or (dtype is not None and dtype not in FLOATS):
        return through(paths, frozenset(), loss_here(machine, "operation", without_gradient or name, node))
    return through(paths, recording_tapes(machine), loss_here(machine, "outside", name, node))


def loss_here(machine: Machine, reason: str, operation: str, node: ast.AST, detail: str = "") -> Loss:
    """Why a way is lost at this place."""
    way = tuple((a, a.node or node, a.module) for a in machine.activations)
    return Loss(reason, operation, node, way, detail)


def left(machine: Machine, values: Iterable[Value], by: str, node: ast.AST) -> Paths | None:
    """The ways to a value that left TensorFlow: `.numpy()`, `float()`, a NumPy function."""
    parts = [part for value in values for part in numeric_parts(value)]
    paths = merge_all(paths_of(machine, part) for part in parts)
    return through(paths, frozenset(), loss_here(machine, "left", by, node, by)) if paths else None
