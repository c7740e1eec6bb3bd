"""Keras: user code that a functional model runs when it is built, and what Keras is given and may call."""

from __future__ import annotations

import ast
from typing import Any

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace
from graphdoctor.dryrun.tracing.operations import calls_of, numeric_parts
from graphdoctor.dryrun.values import (
    UNKNOWN,
    BoundMethod,
    Dictionary,
    Function,
    GraphFunction,
    Instance,
    KerasTensor,
    LibraryObject,
    Sequence,
    Tensor,
    Value,
)
from graphdoctor.recording.format import ASSUMED

DEEPEST = 4


def is_symbolic_call(arguments: Arguments) -> bool:
    """Whether a layer is called on the placeholders of a functional model."""
    return any(isinstance(part, KerasTensor) for value in arguments for part in numeric_parts(value))


def call_symbolically(
    machine: Machine, holder: Value, callee: Value, arguments: Arguments, node: ast.AST
) -> Value:
    """What user code gives for placeholders. Keras 3 runs it in a graph of its own to learn the shapes."""
    from graphdoctor.dryrun.libraries.keras.calls import in_keras

    if machine.graph is not None:
        return KerasTensor("float32", None, machine.origin(node))

    def run() -> Value:
        given = Arguments(
            [_as_tensors(machine, value, node) for value in arguments.positional],
            {name: _as_tensors(machine, value, node) for name, value in arguments.keywords.items()},
        )
        return in_keras(machine, holder, callee, given, node)

    traced = GraphFunction(callee, {}, machine.origin(node))
    before = calls_of(part for value in arguments for part in numeric_parts(value))
    calls = (*before, (holder, callee, arguments))
    result = in_trace(machine, traced, run, 0, True, node, keras=True)
    return _as_placeholders(machine, result, node, calls)


def call_again(machine: Machine, model: LibraryObject, node: ast.AST) -> None:
    """A functional model is called in a graph: the user code in it runs, on tensors of that graph."""
    from graphdoctor.dryrun.libraries.keras.calls import in_keras

    if machine.graph is None or "output" not in model.cells:
        return
    for holder, callee, arguments in calls_of(numeric_parts(model.cells["output"])):
        values = [_as_tensors(machine, value, node) for value in arguments.positional]
        keywords = {name: _as_tensors(machine, value, node) for name, value in arguments.keywords.items()}
        called = callee if not isinstance(holder, Instance) else holder
        if isinstance(called, Instance):
            machine.call(called, Arguments(values, keywords), node)
        else:
            in_keras(machine, holder, callee, Arguments(values, keywords), node)


def _as_tensors(machine: Machine, value: Value, node: ast.AST, depth: int = 0) -> Value:
    if isinstance(value, KerasTensor):
        return Tensor(value.dtype, value.shape, machine.origin(node))
    if isinstance(value, Sequence) and value.items is not None and depth < DEEPEST:
        items = tuple(_as_tensors(machine, item, node, depth + 1) for item in value.items)
        return Sequence(value.kind, items, machine.origin(node), fields=value.fields)
    if isinstance(value, Dictionary) and depth < DEEPEST:
        cells = {key: _as_tensors(machine, item, node, depth + 1) for key, item in value.cells.items()}
        return Dictionary(cells, machine.origin(node), value.type)
    return value


def _as_placeholders(
    machine: Machine, value: Value, node: ast.AST, calls: tuple[Any, ...], depth: int = 0
) -> Value:
    if isinstance(value, Sequence) and value.items is not None and depth < DEEPEST:
        items = tuple(_as_placeholders(machine, item, node, calls, depth + 1) for item in value.items)
        return Sequence(value.kind, items, machine.origin(node), fields=value.fields)
    if isinstance(value, Sequence) and depth < DEEPEST:
        typical = _as_placeholders(machine, value.cells["element"] or UNKNOWN, node, calls, depth + 1)
        return Sequence(value.kind, None, machine.origin(node), typical, value.count)
    if isinstance(value, Dictionary) and depth < DEEPEST:
        cells = {
            key: _as_placeholders(machine, item, node, calls, depth + 1) for key, item in value.cells.items()
        }
        return Dictionary(cells, machine.origin(node), value.type)
    shape = value.shape if isinstance(value, Tensor) else None
    dtype = value.dtype if isinstance(value, Tensor) else "float32"
    return KerasTensor(dtype, shape, machine.origin(node), calls=calls)


def assume_called(
    machine: Machine, callee: Value, count: int, node: ast.AST, holder: Value | None = None
) -> None:
    """Run a function that Keras was given: a loss, a metric, a Lambda's; that it is traced is assumed."""
    from graphdoctor.dryrun.libraries.keras.calls import in_keras

    if machine.graph is not None or not isinstance(callee, (Function, BoundMethod)):
        return
    traced = GraphFunction(callee, {}, machine.origin(node))
    around, machine.evidence = machine.evidence, ASSUMED

    def run() -> Value:
        values: list[Value] = [Tensor(None, None, machine.origin(node)) for _ in range(count)]
        return in_keras(machine, holder or callee, callee, Arguments(values), node)

    try:
        machine.heap.undone(lambda: _run(machine, traced, run, node))
    finally:
        machine.evidence = around


def _run(machine: Machine, traced: GraphFunction, run: object, node: ast.AST) -> None:
    in_trace(machine, traced, run, 0, True, node, keras=True)  # type: ignore[arg-type]


def assume_trained(machine: Machine, arguments: Arguments, node: ast.AST) -> None:
    """`model.compile(loss=…, metrics=[…])`: the functions that training would call."""
    from graphdoctor.dryrun.libraries.keras.training import CALLED, callables

    for position, name in ((1, "loss"), (3, "metrics")):
        for method, count in CALLED[name].items():
            for each in callables(machine, arguments.get(position, name), method, node):
                assume_called(machine, each, count, node)
