"""Keras: functional models, their placeholders, the code that they run when built, and what calls give."""

import ast
import re
from typing import Any

from graphdoctor.dryrun.control.conditions import truth
from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import Path, merge_paths
from graphdoctor.dryrun.libraries.registry import Call
from graphdoctor.dryrun.libraries.tables.names import names
from graphdoctor.dryrun.tracing.graph_function_calls import in_trace
from graphdoctor.dryrun.tracing.operations import calls_of, loss_here, numeric_parts, recording_tapes
from graphdoctor.dryrun.values import (
    FALSE,
    UNKNOWN,
    BoundMethod,
    Dictionary,
    Function,
    GraphFunction,
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
from graphdoctor.dryrun.values.structures import rebuilt

# Keras as people name it since it left TensorFlow. Under `tf.keras`, code that calls TensorFlow on such
# placeholders was right for years: where only the installed Keras speaks for 3, that says how old it is.
KERAS_ITSELF = re.compile(r"^\s*(?:import keras\b|from keras\b)", re.MULTILINE)


def note_placeholder(call: Call) -> bool:
    """Whether a function of TensorFlow's is given a placeholder, which raises; written down then."""
    if not _refuses(call.machine):
        return False
    if not call.name.startswith("tensorflow.") or call.last.startswith("assert"):
        return False  # run on 2.21: assertions let it pass
    given = call.arguments
    named: list[tuple[int | str, Value]] = [*enumerate(given.positional), *given.keywords.items()]
    held = [key for key, value in named if _placeholders(value)]
    syntax = call.machine.module.syntax
    stated = syntax.keras is not None  # by the settings, or by a run
    if not held or not (stated or KERAS_ITSELF.search(syntax.text)):
        return False
    shown = call.name.replace("tensorflow.", "tf.", 1)
    for key, value in named:
        for node, part in _written(given.nodes.get(key, call.node), value) if key in held else ():
            refused(call.machine, part, node, shown)
    return True


def _written(node: ast.AST, value: Value) -> list[tuple[ast.AST, Value]]:
    """What is given, by where it is written: each of a list that is written out by itself."""
    items = value.items if isinstance(value, Sequence) else None
    if not isinstance(node, (ast.List, ast.Tuple)) or items is None or len(items) != len(node.elts):
        return [(node, value)]
    return [(each, item) for each, item in zip(node.elts, items, strict=True) if isinstance(item, Value)]


def _refuses(machine: Machine) -> bool:
    return machine.graph is None and machine.module.keras == 3


def refused(machine: Machine, value: Value, node: ast.AST, name: str) -> bool:
    """Whether a value is, or holds, a placeholder of Keras 3, which `name` cannot take; written down then."""
    found = _placeholders(value) if _refuses(machine) else []
    if found:
        machine.log.use("keras-input", node, found[0], name)
    return bool(found)


def _placeholders(value: Value) -> list[KerasTensor]:
    return [part for part in numeric_parts(value) if isinstance(part, KerasTensor)]


RUNNING = {"RNN": "cell", "Bidirectional": "layer", "TimeDistributed": "layer"}  # and what each of them runs

# Run on 2.21: these give a list of tensors as a list.
HANDING_ON = names("layers that give lists as lists")


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


def _as_tensors(machine: Machine, value: Value, node: ast.AST) -> Value:
    def as_tensor(part: Value) -> Value:
        known = isinstance(part, KerasTensor)
        return Tensor(part.dtype, part.shape, machine.origin(node)) if known else part  # type: ignore[attr-defined]

    return rebuilt(value, as_tensor, machine.origin(node))


def _as_placeholders(machine: Machine, value: Value, node: ast.AST, calls: tuple[Any, ...]) -> Value:
    def placeholder(part: Value) -> Value:
        if isinstance(part, Sequence):
            typical = placeholder(part.cells["element"] or UNKNOWN)
            return Sequence(part.kind, None, machine.origin(node), typical, part.count)
        shape = part.shape if isinstance(part, Tensor) else None
        dtype = part.dtype if isinstance(part, Tensor) else "float32"
        return KerasTensor(dtype, shape, machine.origin(node), calls=calls)

    return rebuilt(value, placeholder, machine.origin(node))


def assume_called(
    machine: Machine, callee: Value, count: int, node: ast.AST, holder: Value | None = None
) -> None:
    """Run a function that Keras was given: a loss, a metric, a Lambda's; that it is traced is assumed."""
    from graphdoctor.dryrun.libraries.keras.calls import in_keras

    if machine.graph is not None or not isinstance(callee, (Function, BoundMethod)):
        return
    traced = GraphFunction(callee, {}, machine.origin(node))

    def run() -> Value:
        values: list[Value] = [Tensor(None, None, machine.origin(node)) for _ in range(count)]
        return in_keras(machine, holder or callee, callee, Arguments(values), node)

    with machine.assuming():
        machine.heap.undone(lambda: in_trace(machine, traced, run, 0, True, node, keras=True))


def assume_trained(machine: Machine, arguments: Arguments, node: ast.AST) -> None:
    """`model.compile(loss=…, metrics=[…])`: the functions that training would call."""
    from graphdoctor.dryrun.libraries.keras.training import CALLED, callables

    for position, name in ((1, "loss"), (3, "metrics")):
        for method, count in CALLED[name].items():
            for each in callables(machine, arguments.get(position, name), method, node):
                assume_called(machine, each, count, node)
