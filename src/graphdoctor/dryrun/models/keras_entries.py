"""Keras methods that nothing in the project calls: what Keras would do with them, if it is asked to."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.arguments import Arguments, parameter_names
from graphdoctor.dryrun.definitions import underlying
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.keras_calls import in_keras
from graphdoctor.dryrun.tracing import in_trace, traced_twice
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    BoundMethod,
    Dictionary,
    Function,
    GraphFunction,
    KerasTensor,
    Scalar,
    Sequence,
    Tensor,
    Value,
)
from graphdoctor.recording.format import ASSUMED, SHOWN

TENSORS = ("inputs", "x", "input", "inputs_tensor", "y_true", "y_pred", "features", "images", "tokens")
DATA = ("train_step", "test_step", "predict_step")


def run_symbolic_calls(machine: Machine) -> None:
    """Trace the layers that functional models of this entry called: Keras does so when they are put together."""
    calls, machine.program.symbolic_calls = machine.program.symbolic_calls, []
    for layer, arguments, node in calls:
        function = underlying(layer.cls.find("call"))
        if function is None or function.node in machine.called or machine.program.eager_keras:
            continue
        values = [_placeholder(value) for value in arguments.positional]
        keywords = {name: _placeholder(value) for name, value in arguments.keywords.items()}
        _trace_method(machine, BoundMethod(function, layer), function, values, keywords, node)


def _placeholder(value: Value) -> Value:
    """What the code of a layer sees of a placeholder: a tensor, its batch size open."""
    if isinstance(value, KerasTensor):
        return Tensor(value.dtype, value.shape)
    if isinstance(value, Sequence) and value.items is not None:
        return Sequence(value.kind, tuple(map(_placeholder, value.items)), value.origin)
    if isinstance(value, Dictionary):
        return Dictionary({key: _placeholder(item) for key, item in value.cells.items()}, value.origin)
    return value


def run_keras_method(machine: Machine, method: BoundMethod, function: Function, node: ast.AST) -> None:
    """Run `call`, `train_step` and the like as Keras would trace them; that it does is assumed."""
    if isinstance(method.function, GraphFunction):
        machine.call(method, Arguments([UNKNOWN] * (len(parameter_names(function)) - 1)), node)
        return
    machine.evidence = ASSUMED
    try:
        _trace_method(machine, method, function, _values(machine, function, node), {}, node)
    finally:
        machine.evidence = SHOWN


def _trace_method(
    machine: Machine,
    method: BoundMethod,
    function: Function,
    values: list[Value],
    keywords: dict[str, Value],
    node: ast.AST,
) -> None:
    traced = GraphFunction(method, {}, machine.origin(node))
    definition = machine.log.definition(function)

    def trace(first: bool) -> Value:
        number = machine.log.trace(traced, definition, {}, {}, node, origin="keras")
        given = Arguments(_lifted(machine, values, node), dict(keywords))
        return in_trace(
            machine,
            traced,
            lambda: in_keras(machine, method.receiver, method, given, node),
            number,
            first,
            node,
            keras=True,
        )

    traced_twice(machine, traced, trace)


def _values(machine: Machine, function: Function, node: ast.AST) -> list[Value]:
    names = parameter_names(function)[1:]
    return [_value(function, name, position) for position, name in enumerate(names)]


def _value(function: Function, name: str, position: int) -> Value:
    if name == "training":
        return Scalar("bool")
    if function.name in DATA:
        return UNKNOWN
    first = position == 0 and function.name == "call"
    if first and name in TENSORS:
        return Tensor(None, None)
    if name in ("mask", "sample_weight"):
        return NONE
    return Tensor(None, None) if name in ("y_true", "y_pred") else UNKNOWN


def _lifted(machine: Machine, values: list[Value], node: ast.AST) -> list[Value]:
    from graphdoctor.dryrun.tracing import lifted

    return [lifted(machine, value, node) for value in values]
