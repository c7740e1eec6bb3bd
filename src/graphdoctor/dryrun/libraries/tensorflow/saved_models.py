"""`tf.saved_model`: what saving traces, and what is loaded again from the same place."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.attributes import get_attribute
from graphdoctor.dryrun.core.calls import of_instance
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function, object_methods
from graphdoctor.dryrun.libraries.tensorflow.graph_functions import TRACED
from graphdoctor.dryrun.libraries.tensorflow.tracked_objects import Tracked, functions_of
from graphdoctor.dryrun.tracing.graph_function_calls import note_refused
from graphdoctor.dryrun.values import (
    NONE,
    UNKNOWN,
    AbstractNumber,
    BoundMethod,
    Constant,
    Dictionary,
    GraphFunction,
    Instance,
    LibraryObject,
    Sequence,
    Value,
)
from graphdoctor.dryrun.values.file_locations import PLACE, Location, place_in

SAVED = "<saved>"  # the cell of a loaded object that keeps what was saved


@function("tensorflow.saved_model.save")
def save(call: Call) -> Value:
    """Saving traces the functions that are given as `signatures`, and those of the object that have one."""
    machine, saved, given = call.machine, call.get(0, "obj"), call.get(2, "signatures")
    for each in given.entries.values() if isinstance(given, Dictionary) else [given]:
        _trace_by_signature(machine, each, call.node)
    if isinstance(saved, Instance):
        names = [
            n for cells in saved.cls.line for n, value in cells.items() if isinstance(value, GraphFunction)
        ]
        with machine.perhaps(True):  # what was called before is traced already, in another order perhaps
            for name in names:
                _trace_by_signature(machine, get_attribute(machine, saved, name, call.node), call.node)
    _note_untracked(machine, saved, given, call.node)
    place = _place(call.get(1, "export_dir"))
    if place is not None:
        machine.heap.put(machine.saved, place, saved)
    return NONE


def _note_untracked(machine: Machine, saved: Value, given: Value, node: ast.AST) -> None:
    """Write down what the functions to be saved take in, and nothing that is saved leads to."""
    tracked = Tracked(machine, saved)
    if not tracked.known or saved not in tracked.objects:
        return
    asked = given.entries.values() if isinstance(given, Dictionary) else [given]
    functions = dict.fromkeys([*filter(None, map(_function, asked)), *functions_of(tracked)])
    for traced in functions:
        for alternatives in traced.resources.values() if not _is_stale(traced) else ():
            parts = [Tracked(machine, each) for each in alternatives]
            if all(each.known and each.numbers.isdisjoint(tracked.numbers) for each in parts):
                machine.log.untracked(saved, traced, alternatives[0], node)


def _is_stale(function: GraphFunction) -> bool:
    """Whether saving, which traces again (run on 2.21), may take in something else than the last trace."""
    captures = function.captures.values()
    return any(each.cells.get(each.key, each.value) is not each.value for each in captures)


def _function(callee: Value) -> GraphFunction | None:
    """The graph function that is given as a signature, itself or by one of its traces."""
    if isinstance(callee, LibraryObject):
        callee = callee.cells.get(TRACED, UNKNOWN)
    if isinstance(callee, BoundMethod) and isinstance(callee.function, GraphFunction):
        callee = of_instance(callee.function, callee.receiver)
    return callee if isinstance(callee, GraphFunction) else None


def _trace_by_signature(machine: Machine, callee: Value, node: ast.AST) -> None:
    signature = _signature(callee)
    if isinstance(signature, Sequence) and signature.items is not None:
        machine.call(callee, Arguments([UNKNOWN for _ in signature.items]), node)


def _signature(callee: Value) -> Value | None:
    function = callee.function if isinstance(callee, BoundMethod) else callee
    return function.options.get("input_signature") if isinstance(function, GraphFunction) else None


def _place(path: Value) -> Hashable:
    """What distinguishes one folder from another; None where it is unknown which it is."""
    held = place_in(path)
    if isinstance(held, Location):
        return held.path
    if isinstance(held, Constant) and isinstance(held.value, str):
        return held.value
    if isinstance(held, AbstractNumber):
        return held.term
    return held.origin.number if isinstance(held, LibraryObject) and held.kind == "path" else None


@function("tensorflow.Module")
def module(call: Call) -> Value:
    return LibraryObject("module", call.name, call.machine.origin(call.node), {})


@function("tensorflow.saved_model.load")
def load(call: Call) -> Value:
    place = _place(call.get(0, "export_dir"))
    saved = call.machine.saved.get(place) if place is not None else None
    if not isinstance(saved, Instance):
        return UNKNOWN
    made = LibraryObject("loaded", call.name, call.machine.origin(call.node), {})
    made.cells[SAVED] = saved
    return made


@object_methods("loaded")
def loaded_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """Run on 2.21: what is loaded traces nothing, and its functions keep their signatures."""
    saved = receiver.cells[SAVED]
    callee = get_attribute(machine, saved, name, node) if saved.cls.find(name) is not None else UNKNOWN
    if _signature(callee) is not None:
        note_refused(machine, callee, arguments, node)
    return UNKNOWN


@function("tempfile.mkdtemp")
def temporary_folder(call: Call) -> Value:
    return AbstractNumber("str")


@function("tempfile.TemporaryDirectory")
def temporary_directory(call: Call) -> Value:
    made = LibraryObject("temporary directory", call.name, call.machine.origin(call.node), {})
    made.cells["name"] = made.cells[PLACE] = AbstractNumber("str")
    return made
