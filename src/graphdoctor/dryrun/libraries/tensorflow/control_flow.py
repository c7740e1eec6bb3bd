"""TensorFlow's control flow by functions, `tf.cond`, `tf.while_loop`, `tf.map_fn`, and `tf.nest`."""

import ast
from collections.abc import Iterator

from graphdoctor.dryrun.control.staged_loops import of_invariant
from graphdoctor.dryrun.control.staging import is_symbolic
from graphdoctor.dryrun.control.staging_conflicts import compare
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.context import Graph
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function
from graphdoctor.dryrun.tracing.operations import operate
from graphdoctor.dryrun.values import (
    UNKNOWN,
    Array,
    Constant,
    Dictionary,
    Function,
    Origin,
    Sequence,
    Tensor,
    Union,
    Unknown,
    Value,
    Variable,
    Variables,
)
from graphdoctor.dryrun.values.dtypes import dtype_named, dtype_of, shape_of
from graphdoctor.dryrun.values.iteration import element, fresh, settled
from graphdoctor.dryrun.values.joining import join_all, python_type
from graphdoctor.dryrun.values.structures import rebuilt


def call_unconverted(
    machine: Machine, callee: Value, values: list[Value], node: ast.AST, through: str, subgraph: str = ""
) -> Value:
    """Call a function as it is: what a tensor decides in it raises.

    `subgraph`: what it makes belongs to a graph of its own, of this kind.
    """
    graph = machine.graph
    if graph is None:
        activation = machine.activation
        around, activation.entered = activation.entered, through
        try:
            return machine.call(callee, Arguments(values), node)
        finally:
            activation.entered = around
    inner = Graph(graph, subgraph or "callback", unconverted=machine.unconverted or f"callback:{through}")
    return _in_graph(machine, callee, values, inner, node)


def call_converted(
    machine: Machine, callee: Value, values: list[Value], node: ast.AST, subgraph: str = ""
) -> Value:
    """Call a function as the code around is: converted where that is."""
    graph = machine.graph
    if graph is None or not subgraph:
        return machine.call(callee, Arguments(values), node)
    inner = Graph(graph, subgraph, unconverted=machine.unconverted)
    return _in_graph(machine, callee, values, inner, node)


def _in_graph(machine: Machine, callee: Value, values: list[Value], inner: Graph, node: ast.AST) -> Value:
    with machine.in_graph(inner):
        result = machine.call(callee, Arguments([fresh(machine, each, node) for each in values]), node)
    return brought_up(machine, result, inner, node)


def brought_up(machine: Machine, value: Value, inner: Graph, node: ast.AST) -> Value:
    """A result of an inner graph, as the graph around sees it."""

    def moved(part: Value) -> Value:
        within = isinstance(part, Tensor) and part.graph is not None and part.graph.within(inner)
        return part.moved(machine.origin(node)) if isinstance(part, Tensor) and within else part

    return rebuilt(value, moved, machine.origin(node))


@function("tensorflow.nest.map_structure")
def map_structure(call: Call) -> Value:
    machine = call.machine
    callee, *structures = call.arguments.positional or [UNKNOWN]
    if len(structures) != 1 or not isinstance(structures[0], Sequence):
        return UNKNOWN

    def on_leaf(leaf: Value) -> Value:
        if isinstance(leaf, Sequence):
            return UNKNOWN
        given = call_unconverted(machine, callee, [leaf], call.node, "tf.nest.map_structure")
        return UNKNOWN if isinstance(leaf, Unknown) else given  # it may be a structure itself

    return rebuilt(structures[0], on_leaf, call.origin)


@function("tensorflow.ragged.map_flat_values")
def map_flat_values(call: Call) -> Value:
    """It calls the function at once, with the values of ragged tensors, which are unknown."""
    callee, *given = call.arguments.positional or [UNKNOWN]
    call_unconverted(call.machine, callee, [UNKNOWN for _ in given], call.node, "tf.ragged.map_flat_values")
    return UNKNOWN


@function("tensorflow.nest.flatten")
def flatten(call: Call) -> Value:
    items = _flattened(call.get(0, "structure"))
    return Sequence("list", items, call.origin) if items is not None else UNKNOWN


def _flattened(value: Value, depth: int = 0) -> tuple[Value, ...] | None:
    """The leaves of a structure that is known whole."""
    if isinstance(value, (Unknown, Variables, Union)) or depth > 4:
        return None
    if isinstance(value, Dictionary):
        parts = tuple(value.entries.values()) if value.complete else None
    elif isinstance(value, Sequence):
        parts = value.items
    else:
        return (value,)
    found = [_flattened(part, depth + 1) for part in parts] if parts is not None else [None]
    return None if None in found else tuple(leaf for leaves in found if leaves for leaf in leaves)


@function("tensorflow.nest.pack_sequence_as", "keras.tree.pack_sequence_as")
def pack_sequence_as(call: Call) -> Value:
    """The structure of the first argument, whatever it is."""
    flat, structure = call.get(1, "flat_sequence"), call.get(0, "structure")
    leaves = flat.items if isinstance(flat, Sequence) and flat.items is not None else ()
    wanted = _flattened(structure)
    if wanted is None or len(wanted) != len(leaves):
        return UNKNOWN
    return _packed(structure, iter(leaves), call.origin)


def _packed(structure: Value, leaves: Iterator[Value], origin: Origin) -> Value:
    if isinstance(structure, Sequence) and structure.items is not None:
        items = tuple(_packed(part, leaves, origin) for part in structure.items)
        return Sequence(structure.kind, items, origin, fields=structure.fields)
    if isinstance(structure, Dictionary):
        parts = {key: _packed(part, leaves, origin) for key, part in structure.entries.items()}
        return Dictionary(parts, origin)
    return next(leaves)


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
        return Sequence(start.kind, given.items, call.origin, fields=start.fields)
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

    def symbolic(part: Value) -> Value:
        if isinstance(part, Array) or python_type(part):
            return Tensor(dtype_of(part), shape_of(part), machine.origin(node))
        return part.moved(machine.origin(node)) if isinstance(part, Tensor) else part

    return rebuilt(value, symbolic)


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


def _row(machine: Machine, value: Value, node: ast.AST) -> Value:
    def row(part: Value) -> Value:
        if not isinstance(part, (Tensor, Variable, Array)):
            return UNKNOWN
        shape = part.shape[1:] if part.shape else None
        return operate(machine, "row", [part], node, part.dtype, shape, tensor=True)

    return rebuilt(value, row, machine.origin(node))


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
            given.kind, tuple(_stacked(machine, g, elements, call) for g in given.items), call.origin
        )
    return UNKNOWN
