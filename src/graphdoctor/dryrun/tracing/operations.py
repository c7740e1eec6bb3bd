"""An operation of TensorFlow or NumPy on abstract values: its result, its graph, and its gradient's way."""

import ast
from collections.abc import Iterable
from typing import Any, Final

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import (
    ANYTHING,
    NO_TAPES,
    Loss,
    Path,
    Paths,
    merge_all,
    merge_paths,
    through,
    without_terms,
)
from graphdoctor.dryrun.tracing.initial_values import note_read, note_resource
from graphdoctor.dryrun.values import (
    UNKNOWN,
    AbstractNumber,
    Array,
    Constant,
    Dictionary,
    Given,
    Instance,
    KerasTensor,
    LibraryObject,
    Method,
    Opaque,
    Sequence,
    Shape,
    Tensor,
    TensorArray,
    Union,
    Unknown,
    Value,
    Variable,
    Variables,
)
from graphdoctor.dryrun.values.dtypes import FLOATS
from graphdoctor.dryrun.values.joining import python_type
from graphdoctor.dryrun.values.structures import DEEPEST, parts_of, rebuilt

# What makes a loss of its terms, and leaves it the sum that it is.
OF_SUMS: Final = frozenset((
    "add", "sub", "mul", "truediv", "neg", "add_n", "reduce_sum", "reduce_mean", "identity", "cast", "loss",
))  # fmt: skip
OF_TENSORFLOW: Final = frozenset((Tensor, Variable, TensorArray))


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
    parts: list[Value] = []
    for value in values:
        if value.__class__ is Tensor:
            parts.append(value)
        elif value.__class__ is not Constant:
            parts += numeric_parts(value)
    kinds = {part.__class__ for part in parts}
    if KerasTensor in kinds:
        layers = layers_behind(parts)
        return KerasTensor(dtype, shape, machine.origin(node), calls=calls_of(parts), layers=layers)
    if not tensor and kinds.isdisjoint(OF_TENSORFLOW):
        varies = frozenset().union(*(value.varies for value in values)) if values else frozenset()
        paths = merge_all(paths_of(machine, part) for part in parts)
        return Array(dtype, shape, machine.origin(node), paths, varies)
    for part in parts:
        if part.__class__ is Tensor:
            note_leak(machine, part, node)
        elif isinstance(part, Variable):
            note_resource(machine, part)
            note_read(machine, part, node)
    graph = machine.graph
    if graph is not None:
        graph.root.operations += 1 + sum(map(_needs_operation, values))
        graph.root.empty = False
        graph.note(node, name)
    paths = follow(machine, values, name, node, dtype, without_gradient)
    return Tensor(dtype, shape, machine.origin(node), paths)


def _needs_operation(value: Value) -> bool:
    """Whether TensorFlow makes an operation for an operand: a constant of a number, a read of a variable."""
    if value.__class__ is Tensor:
        return False
    return isinstance(value, Variable) or python_type(value) in ("int", "float")


def layers_behind(parts: Iterable[Value]) -> tuple[Value, ...]:
    """The layers on the way to the placeholders of a functional model."""
    found = [layer for part in parts if isinstance(part, KerasTensor) for layer in part.layers]
    return tuple(dict.fromkeys(found))


def calls_of(values: Iterable[Value]) -> tuple[Any, ...]:
    """The calls of user code that lead to the placeholders among some values, each once."""
    every = [call for value in values if isinstance(value, KerasTensor) for call in value.calls]
    return tuple({id(call): call for call in every}.values())


def numeric_parts(value: Value, depth: int = 0) -> list[Value]:
    """The tensors, arrays and variables in a value, and Python numbers that were computed from some."""
    if isinstance(value, (Tensor, Array, KerasTensor, Variable, TensorArray)):
        return [value]
    if isinstance(value, AbstractNumber):
        return [value] if value.paths else []
    inner = parts_of(value) if depth < DEEPEST else ()
    return [part for each in inner for part in numeric_parts(each, depth + 1)]


def note_leak(machine: Machine, tensor: Tensor, node: ast.AST) -> None:
    """Write down that a tensor is used outside the graph that it belongs to."""
    graph = tensor.origin.graph
    if graph is None or (graph is machine.graph and graph.kind != "callback"):
        return
    while graph is not None and graph.kind == "callback":
        graph = graph.parent  # what a library calls makes its operations in the graph around
    if graph is not None and graph not in machine.graphs:
        machine.log.leak_used(tensor, node)


def recording_tapes(machine: Machine) -> frozenset[int]:
    """The tapes that write down what happens now."""
    if not machine.tapes:
        return NO_TAPES
    return frozenset(tape.number for tape in machine.tapes if tape not in machine.paused)


def carriers(value: Value, depth: int = 0) -> list[Value]:
    """All in a value that a gradient may flow through, and what is unknown."""
    if isinstance(value, (Tensor, Array, Variable, TensorArray, Unknown, Variables)):
        return [value]
    if isinstance(value, AbstractNumber):
        return [value] if value.paths else []
    if depth > 3:
        return [UNKNOWN]
    if isinstance(value, Union):
        return [part for each in value.alternatives for part in carriers(each, depth + 1)]
    if isinstance(value, (Sequence, Dictionary)):
        return [part for item in parts_of(value) for part in carriers(item, depth + 1)]
    # An object may be a tensor to TensorFlow, and what looks like a method of an unknown base its attribute.
    return [UNKNOWN] if isinstance(value, (Instance, LibraryObject, Method)) else []


def is_followed(machine: Machine, value: Value) -> bool:
    """Whether a tape that records now has the way from one of its sources to a value."""
    recording, paths = recording_tapes(machine), paths_of(machine, value) or {}
    return any(path.tapes & recording for source, path in paths.items() if source != ANYTHING)


def paths_of(machine: Machine, value: Value, here: Loss | None = None) -> Paths | None:
    """The ways that lead to a value as it is read now, by the operation `here`."""
    if value.__class__ is Tensor and not value.watched and (value.paths or not machine.tapes):
        return value.paths
    if isinstance(value, Variable):
        assigned: Paths | None = value.cells.get("assigned")
        return merge_paths(source_path(machine, value.origin.number, value.trainable, here), assigned)
    if isinstance(value, Variables):
        known = isinstance(value.of, (Instance, LibraryObject))
        return source_path(machine, value.of.origin.number, True, here) if known else None  # type: ignore[attr-defined]
    paths: Paths | None = getattr(value, "paths", None)
    if isinstance(value, Unknown) and not paths:
        paths = {ANYTHING: Path(frozenset(machine.opened))} if machine.opened else None
    if isinstance(value, Given):
        own = {value.number: Path(value.watched & recording_tapes(machine), began=here)}
        return {**(paths or {}), **own} if value.watched else paths
    if isinstance(value, Tensor) and (value.watched or (not paths and machine.tapes)):
        own = {value.number: Path(value.watched & recording_tapes(machine), began=here)}
        return {**paths, **own} if paths else own
    return paths


def source_path(machine: Machine, number: int, trainable: bool | None, here: Loss | None) -> Paths | None:
    """The way that begins at a variable, or at the variables of a layer, when it is read now."""
    recording = recording_tapes(machine)
    watching = frozenset(
        tape.number
        for tape in machine.tapes
        if tape.number in recording
        and (number in tape.watched or tape.loose or (tape.watches and trainable is not False))
    )
    return {number: Path(watching, began=here)} if watching or trainable is not False else None


def follow(
    machine: Machine,
    values: Iterable[Value],
    name: str,
    node: ast.AST,
    dtype: str | None,
    without_gradient: str = "",
) -> Paths | None:
    """The ways to the result of an operation on these values."""
    parts: list[Value] = []
    for value in values:
        if value.__class__ is Tensor:
            parts.append(value)
        elif value.__class__ is not Constant:
            parts += carriers(value)
    if not parts:
        return None
    tapes, here = machine.tapes, None
    paths: Paths | None = None
    for part in parts:
        if part.__class__ is Tensor and not part.watched and (part.paths or not tapes):
            found = part.paths
        else:
            here = here or loss_here(machine, "outside", name, node)
            found = paths_of(machine, part, here)
        if found:
            paths = merge_paths(paths, found)
    if not paths:
        return None
    here = here or loss_here(machine, "outside", name, node)
    if without_gradient:
        return through(paths, NO_TAPES, loss_here(machine, "operation", without_gradient, node))
    if dtype is not None and dtype not in FLOATS:
        return through(paths, NO_TAPES, loss_here(machine, "operation", name, node, dtype))
    if name not in OF_SUMS and any(path.lost for path in paths.values()):
        paths = without_terms(paths)
    return through(entering(paths, node), recording_tapes(machine), here)


def entering(paths: Paths | None, node: ast.AST) -> Paths | None:
    """The ways that meet in an operation: a tape that has one has the first step of those that begin here."""
    having = frozenset().union(*[path.tapes for path in (paths or {}).values()])
    if not paths or not having:
        return paths
    begun = {
        source: Path(path.tapes, path.lost, path.began, path.beside | having)
        for source, path in paths.items()
        if path.began is not None and path.began.node is node and not having <= path.tapes
    }
    return paths | begun if begun else paths


def opaque(machine: Machine, values: Iterable[Value], name: str, node: ast.AST) -> Value:
    """What an operation on values that are unknown gives: unknown, but known to come by this operation."""
    paths = follow(machine, values, name, node, None) if machine.opened else None
    return Opaque(paths, origin=machine.origin(node)) if paths else UNKNOWN


def as_now(machine: Machine, value: Value, node: ast.AST) -> Value:
    """What a graph gives when it runs again: all that may lead to it is on the tapes that record now."""

    def led_to(part: Value) -> Value:
        if not isinstance(part, Tensor) or not machine.opened:
            return part
        here = loss_here(machine, "outside", "call", node)
        copied = part.moved(part.origin)
        everything = {ANYTHING: Path(frozenset(machine.opened))}
        copied.paths = through(everything, recording_tapes(machine), here)
        return copied

    return rebuilt(value, led_to)


def loss_here(machine: Machine, reason: str, operation: str, node: ast.AST, detail: str = "") -> Loss:
    """Why a way is lost at this place."""
    paused = frozenset(tape.number for tape in machine.paused) if machine.paused else NO_TAPES
    return Loss(reason, operation, node, machine.module, detail, paused)


def left(machine: Machine, values: Iterable[Value], by: str, node: ast.AST) -> Paths | None:
    """The ways to a value that left TensorFlow: `.numpy()`, `float()`, a NumPy function."""
    here = loss_here(machine, "left", by, node, by)
    parts = [part for value in values for part in carriers(value)]
    for part in parts:
        if isinstance(part, Tensor):
            note_leak(machine, part, node)
    paths = merge_all(paths_of(machine, part, here) for part in parts)
    return through(paths, NO_TAPES, here) if paths else None


def holder_in(node: ast.AST) -> ast.expr | None:
    """What a method is called on: `x` of `x.numpy()`."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.value if isinstance(called, ast.Attribute) else None
