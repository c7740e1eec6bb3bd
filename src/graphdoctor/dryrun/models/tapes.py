"""`tf.GradientTape`: what it watches, and what it answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from graphdoctor.dryrun.arguments import Arguments
from graphdoctor.dryrun.conditions import truth
from graphdoctor.dryrun.dtypes import FLOATS
from graphdoctor.dryrun.joining import alternatives
from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.models.registry import Call, attributes, function, methods
from graphdoctor.dryrun.models.weights import holders_of
from graphdoctor.dryrun.operations import numeric_parts, operate, paths_of
from graphdoctor.dryrun.provenance import Loss, Path, Paths, merge_all
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    Dictionary,
    Known,
    LibraryObject,
    Method,
    Sequence,
    Tape,
    Tensor,
    Unknown,
    Value,
    Variable,
    Variables,
)
from graphdoctor.recording.format import Place, Source

ASKING = ("gradient", "jacobian", "batch_jacobian")


@function("tensorflow.GradientTape")
def gradient_tape(call: Call) -> Value:
    persistent = truth(call.get(0, "persistent", Known(False)))
    watches = truth(call.get(1, "watch_accessed_variables", Known(True)))
    tape = Tape(call.machine.origin(call.node), persistent, watches is not False)
    call.machine.log.made("tape", tape, call.node, options={"persistent": str(persistent)})
    return tape


@attributes(Tape)
def tape_attribute(machine: Machine, holder: Tape, name: str, node: ast.AST) -> Value:
    return Method(holder, name)


@methods(Tape)
def tape_method(machine: Machine, receiver: Tape, name: str, arguments: Arguments, node: ast.AST) -> Value:
    if name == "watch":
        _watch(machine, receiver, arguments.get(0, "tensor"), node)
        return NONE
    if name in ASKING:
        target = arguments.get(0, "target")
        sources = arguments.get(1, "sources" if name != "batch_jacobian" else "source")
        return ask(machine, receiver, name, target, sources, arguments, node)
    if name == "stop_recording":
        return LibraryObject(
            "stop recording", "tape.stop_recording", machine.origin(node), {"tape": receiver}
        )
    if name == "reset":
        machine.heap.put(receiver.cells, "used", ())
    return NONE


def _watch(machine: Machine, tape: Tape, value: Value, node: ast.AST) -> None:
    for part in numeric_parts(value):
        if isinstance(part, Tensor):
            part.watched = part.watched | {tape.number}
        elif isinstance(part, Variable):
            machine.heap.put(part.cells, "watched", part.cells.get("watched", frozenset()) | {tape.number})


def ask(
    machine: Machine,
    tape: Tape,
    method: str,
    target: Value,
    sources: Value,
    arguments: Arguments,
    node: ast.AST,
) -> Value:
    """The gradients; what is None is written down with its reason."""
    _note_use(machine, tape, node)
    if not arguments.has(None, "unconnected_gradients"):
        _explain(machine, tape, method, target, sources, arguments.node(1, "sources", node), node)
    return _gradients(machine, target, sources, node)


def _note_use(machine: Machine, tape: Tape, node: ast.AST) -> None:
    used: tuple[ast.AST, ...] = tape.cells["used"]
    if used and tape.persistent is False:
        machine.log.applied("gradient again", tape, node)
    if tape.cells["open"]:
        machine.log.applied("gradient inside", tape, node, persistent=str(tape.persistent))
    machine.heap.put(tape.cells, "used", (*used, node))


def _gradients(machine: Machine, target: Value, sources: Value, node: ast.AST) -> Value:
    """What the tape gives back: the structure of the sources."""
    if isinstance(sources, Tensor | Variable):
        return operate(machine, "gradient", [target], node, sources.dtype, sources.shape, tensor=True)
    if isinstance(sources, Sequence) and sources.items is not None:
        items = tuple(_gradients(machine, target, item, node) for item in sources.items)
        return Sequence("list", items, machine.origin(node))
    if isinstance(sources, Dictionary):
        cells = {key: _gradients(machine, target, item, node) for key, item in sources.cells.items()}
        return Dictionary(cells, machine.origin(node))
    if isinstance(sources, Variables):
        typical = operate(machine, "gradient", [target], node, "float32", None, tensor=True)
        return Sequence("list", None, machine.origin(node), typical)
    return UNKNOWN


def _explain(
    machine: Machine, tape: Tape, method: str, target: Value, sources: Value, shown: ast.AST, node: ast.AST
) -> None:
    parts = numeric_parts(target)
    if not parts or any(isinstance(each, Unknown) for each in alternatives(target)):
        return
    paths = merge_all(paths_of(machine, part) for part in parts)
    fields = {"method": method, "opened": machine.log.place_of(tape.origin)}
    for index, source in enumerate(_sources(sources)):
        reason = _reason(machine, tape, parts, paths or {}, source)
        if reason is None:
            continue
        named, loss = reason
        described = Source(
            index=index,
            name=getattr(source, "name", ""),
            dtype=getattr(source, "dtype", None) or "",
            variable=isinstance(source, Variable | Variables),
        )
        broken: Place | None = None
        if loss is not None:
            _, _, module = loss.way[-1]
            broken = machine.log.place(loss.node, module)
        machine.log.gradient(
            node,
            named,
            sources=(described,),
            operation=loss.operation if loss is not None else "",
            detail=loss.detail if loss is not None else "",
            broken=broken,
            **fields,
        )


def _sources(sources: Value) -> Iterator[Value]:
    if isinstance(sources, Sequence):
        for item in sources.items or ():
            yield from _sources(item)
    elif isinstance(sources, Dictionary):
        for item in sources.entries.values():
            yield from _sources(item)
    elif isinstance(sources, Tensor | Variable | Variables):
        yield sources


def _reason(
    machine: Machine, tape: Tape, parts: list[Value], paths: Paths, source: Value
) -> tuple[str, Loss | None] | None:
    """Why the gradient for a source is None; None when it is not, or nobody knows."""
    if isinstance(source, Variables):
        return _reason_of_weights(tape, paths, source)
    if isinstance(source, Tensor | Variable) and source.dtype is not None and source.dtype not in FLOATS:
        return "dtype", None
    if isinstance(source, Variable):
        path = paths.get(source.origin.number)
        if path is None:
            return None
        return _broken(tape, path)
    assert isinstance(source, Tensor)
    if tape.number in source.watched:
        path = paths.get(source.origin.number)
        return _broken(tape, path) if path is not None else None
    recorded = any(tape.number in path.tapes for path in (source.paths or {}).values())
    if recorded or any(part is source for part in parts):
        return None
    if source.rebound is not None:
        return "rebound", Loss("rebound", "", source.rebound, _way(machine))
    return "not-watched", None


def _way(machine: Machine):  # type: ignore[no-untyped-def]
    return tuple((a, a.node, a.module) for a in machine.activations)


def _broken(tape: Tape, path: Path) -> tuple[str, Loss | None] | None:
    if tape.number in path.tapes or path.lost is None:
        return None
    return path.lost.reason, path.lost


def _reason_of_weights(tape: Tape, paths: Paths, source: Variables) -> tuple[str, Loss | None] | None:
    if source.early:
        return "no-sources", None
    if (
        source.kind in ("variables", "weights", "non_trainable_variables")
        and holders_of(source.of).untrainable
    ):
        return "not-trainable", None
    met = [paths[number] for number in holders_of(source.of).numbers if number in paths]
    if not met or any(tape.number in path.tapes or path.lost is None for path in met):
        return None
    lost = met[0].lost
    assert lost is not None
    return lost.reason, lost
