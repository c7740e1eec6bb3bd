"""TensorFlow's control flow by functions: `tf.cond`, `tf.switch_case`, `tf.while_loop`, `tf.map_fn`."""

from __future__ import annotations

import ast

from graphdoctor.dryrun.control.staged_loops import of_invariant
from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.control.staging_conflicts import compare
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.callbacks import call_converted, call_unconverted
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.tracing.operations import operate
from graphdoctor.dryrun.values import (
    UNKNOWN,
    Array,
    Constant,
    Dictionary,
    Function,
    Sequence,
    Tensor,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.dtypes import dtype_named, dtype_of, shape_of
from graphdoctor.dryrun.values.iteration import element, settled
from graphdoctor.dryrun.values.joining import join_all, python_type


@function("tensorflow.cond")
def cond(call: Call) -> Value:
    results = [
        call_unconverted(call.machine, call.get(p, name), [], call.node, "tf.cond", "if")
        for p, name in ((1, "true_fn"), (2, "false_fn"))
    ]
    return _one_of(call, call.get(0, "pred"), results)


def _one_of(call: Call, chosen_by: Value, results: list[Value]) -> Value:
    """What one of several functions gives; where a tensor chooses, all must give the like."""
    if is_symbolic(call.machine, chosen_by):
        for other in results[1:]:
            if compare(call.machine, "cond", call.node, f"tf.{call.last}(…)", results[0], other):
                break
    return join_all(results)


@function("tensorflow.case", "tensorflow.switch_case")
def switch_case(call: Call) -> Value:
    machine = call.machine
    given = call.get(1 if call.last == "switch_case" else 0, "branch_fns")
    branches = list(given.items or ()) if isinstance(given, Sequence) else []
    if isinstance(given, Dictionary):
        branches = list(given.entries.values())
    if isinstance(given, Sequence) and given.items is None:
        branches.append(element(machine, given, call.node))
    if call.arguments.has(2 if call.last == "switch_case" else 1, "default"):
        branches.append(call.get(2 if call.last == "switch_case" else 1, "default"))
    results = [
        call_unconverted(machine, _branch(each), [], call.node, f"tf.{call.last}", "if") for each in branches
    ]
    return _one_of(call, call.get(0, "branch_index") if call.last == "switch_case" else UNKNOWN, results)


def _branch(given: Value) -> Value:
    """The function of `(number, function)` or `(condition, function)`, or the function itself."""
    return given.items[-1] if isinstance(given, Sequence) and given.items else given


@function("tensorflow.while_loop")
def while_loop(call: Call) -> Value:
    machine = call.machine
    start = settled(call.get(2, "loop_vars"))
    values = list(start.items or ()) if isinstance(start, Sequence) else [start]
    inside = [_symbolic(machine, value, call.node) for value in values]
    if call.arguments.has(3, "shape_invariants"):
        said = call.get(3, "shape_invariants")
        shapes = said.items if isinstance(said, Sequence) else (said,)
        invariants = (*(shapes or ()), *[UNKNOWN] * len(inside))
        inside = [of_invariant(*pair) for pair in zip(inside, invariants, strict=False)]
    call_unconverted(machine, call.get(0, "cond"), inside, call.node, "tf.while_loop", "loop")
    body = call.get(1, "body")
    given = call_unconverted(machine, body, inside, call.node, "tf.while_loop", "loop")
    if machine.graph is not None and not call.arguments.has(3, "shape_invariants"):
        after = given.items or () if isinstance(given, Sequence) else (given,)
        for name, first, then in zip(_carried_names(body, len(inside)), inside, after, strict=False):
            compare(machine, "while", call.node, name, first, then)
    if isinstance(given, Sequence) and given.items is not None and isinstance(start, Sequence):
        return Sequence(start.kind, given.items, machine.origin(call.node), fields=start.fields)
    return given


def _carried_names(body: Value, count: int) -> list[str]:
    """What the body of a loop calls the values that it carries."""
    if isinstance(body, Function):
        parameters = [argument.arg for argument in body.node.args.args]
        if len(parameters) == count:
            return parameters
    return [f"loop_vars[{position}]" for position in range(count)]


def _symbolic(machine: Machine, value: Value, node: ast.AST) -> Value:
    """A Python number or array that a loop carries becomes a tensor."""
    if isinstance(value, Array) or python_type(value):
        return Tensor(dtype_of(value), shape_of(value), machine.origin(node))
    if isinstance(value, Sequence) and value.items is not None:
        items = tuple(_symbolic(machine, item, node) for item in value.items)
        return Sequence(value.kind, items, value.origin, fields=value.fields)
    return value.moved(machine.origin(node)) if isinstance(value, Tensor) else value


@function(
    "tensorflow.map_fn",
    "tensorflow.vectorized_map",
    "tensorflow.scan",
    "tensorflow.foldl",
    "tensorflow.foldr",
)
def map_fn(call: Call) -> Value:
    machine = call.machine
    elements = settled(call.get(1, "elems"))
    item = _row(machine, elements, call.node)
    values = [item]
    if call.last in ("scan", "foldl", "foldr"):
        start = call.get(2, "initializer")
        known = not (isinstance(start, Constant) and start.value is None)
        values = [_symbolic(machine, start, call.node) if known else item, item]
    if call.last == "map_fn":
        given = call_converted(machine, call.get(0, "fn"), values, call.node, "loop")
    else:
        given = call_unconverted(machine, call.get(0, "fn"), values, call.node, f"tf.{call.last}", "loop")
    if call.last in ("foldl", "foldr"):
        return given
    return _stacked(machine, given, elements, call)


def _row(machine: Machine, value: Value, node: ast.AST, depth: int = 0) -> Value:
    if isinstance(value, Sequence) and value.items is not None and depth < 3:
        return Sequence(
            value.kind, tuple(_row(machine, v, node, depth + 1) for v in value.items), machine.origin(node)
        )
    if isinstance(value, (Tensor, Variable, Array)):
        shape = value.shape[1:] if value.shape else None
        return operate(machine, "row", [value], node, value.dtype, shape, tensor=True)
    return UNKNOWN


def _stacked(machine: Machine, given: Value, elements: Value, call: Call) -> Value:
    first = elements.items[0] if isinstance(elements, Sequence) and elements.items else elements
    shape = shape_of(first)
    if isinstance(given, Tensor):
        dtype = (
            dtype_named(call.get(None, "fn_output_signature"))
            or dtype_named(call.get(None, "dtype"))
            or given.dtype
        )
        rows = (shape[0], *given.shape) if shape and given.shape is not None else None
        return operate(machine, call.last, [given], call.node, dtype, rows, tensor=True)
    if isinstance(given, Sequence) and given.items is not None:
        return Sequence(
            given.kind,
            tuple(_stacked(machine, g, elements, call) for g in given.items),
            machine.origin(call.node),
        )
    return UNKNOWN
