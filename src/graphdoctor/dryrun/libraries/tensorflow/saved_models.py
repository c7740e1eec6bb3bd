"""`tf.saved_model`: what saving traces, what an object tracks, and what is loaded from the same place."""

import ast
from collections.abc import Hashable, Iterable
from typing import Final

from graphdoctor.dryrun.core.arguments import Arguments
from graphdoctor.dryrun.core.calls import of_instance
from graphdoctor.dryrun.core.escape_analysis import ESCAPED
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.libraries.registry import Call, function, object_methods
from graphdoctor.dryrun.libraries.tensorflow.graph_functions import TRACED
from graphdoctor.dryrun.tracing.graph_function_calls import note_refused
from graphdoctor.dryrun.values import (
    NONE,
    REST,
    UNKNOWN,
    AbstractNumber,
    Array,
    BoundMethod,
    Class,
    Constant,
    Dictionary,
    DType,
    Function,
    GraphFunction,
    Instance,
    KerasTensor,
    LayerOf,
    Library,
    LibraryObject,
    Sequence,
    Tensor,
    TensorSpec,
    Unknown,
    Value,
    Variable,
)
from graphdoctor.dryrun.values.file_locations import PLACE, Location, place_in
from graphdoctor.dryrun.values.variable_owners import is_module

TRACKING: Final = "_track_trackable"
LEAVES: Final = (
    Constant, AbstractNumber, Tensor, Array, Function, GraphFunction, BoundMethod, Class, Library, DType,
    TensorSpec,
)  # fmt: skip
HOLDERS: Final = ("layer", "model", "module", "metric", "optimizer", "loss", "table", "table initializer")
KNOWN: Final = ("tensorflow.Module", "keras.")
PLAIN: Final = ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol")
OF_MODELS: Final = ("layers", "output")  # what leads to all layers of a model
# What a class may have that decides itself what is tracked.
DECIDING: Final = ("__setattr__", "__getattribute__", "_trackable_children", TRACKING)


class Tracked:
    """The numbers of all that is reached from a value; `known`: nobody else may have added to it."""

    __slots__ = ("_machine", "_seen", "known", "numbers", "objects")

    def __init__(self, machine: Machine, value: Value) -> None:
        self._machine = machine
        self._seen: set[int] = set()
        self.known = True
        self.numbers: set[int] = set()
        self.objects: list[Instance | LibraryObject] = []
        self._add(value)

    def _add(self, value: object) -> None:
        if not isinstance(value, Value) or isinstance(value, LEAVES) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, Variable):
            self.numbers.add(value.origin.number)
            self._add(value.cells.get("of"))
        elif isinstance(value, Sequence) and value.kind != "iterator":
            self.known &= value.items is not None or value.cells["element"] is not None
            self._add_all(value.members)
        elif isinstance(value, Dictionary):
            self._add_all(value.cells.values())
        elif isinstance(value, KerasTensor):
            self.known &= not value.calls
            self._add_all(value.layers)
        elif isinstance(value, LayerOf):
            self._add(value.model)
        elif isinstance(value, LibraryObject) and value.kind in HOLDERS:
            self._add_holder(value)
        elif isinstance(value, Instance):
            self._add_instance(value)
        else:
            self.known = False

    def _add_all(self, values: Iterable[object]) -> None:
        for value in values:
            self._add(value)

    def _add_holder(self, holder: LibraryObject) -> None:
        """An object of a library: of what it was made with and keeps, an unknown number is no matter."""
        self.numbers.add(holder.origin.number)
        self.objects.append(holder)
        self.known &= holder.kind != "module" or ESCAPED not in holder.cells
        for given in holder.arguments.values():
            if holder.kind == "model" or not isinstance(given, Unknown):
                self._add(given)
        for key, kept in holder.cells.items():
            matters = key in OF_MODELS or (id(holder.cells), key) in self._machine.written
            if matters or not isinstance(kept, Unknown):
                self._add(kept)

    def _add_instance(self, holder: Instance) -> None:
        cls = holder.cls
        foreign = [name for name in cls.libraries if name not in PLAIN and not name.startswith(KNOWN)]
        if cls.is_open or foreign:
            self.known = False
        elif not is_module(holder):
            self._add_all(holder.cells.values() if cls.record == "namedtuple" else ())
            return
        escaped = ESCAPED in holder.cells or REST in holder.cells or holder.unknown_start
        self.known &= not escaped and all(cls.find(name) is None for name in DECIDING)
        self.numbers.add(holder.origin.number)
        self.objects.append(holder)
        self._add_all(holder.cells.values())


def functions_of(tracked: Tracked) -> list[GraphFunction]:
    """The graph functions of the objects that are saved, each as its object has it."""
    found = []
    for holder in tracked.objects:
        found += [value for value in holder.cells.values() if isinstance(value, GraphFunction)]
        lines = holder.cls.line if isinstance(holder, Instance) else ()
        methods = (value for cells in lines for value in cells.values() if isinstance(value, GraphFunction))
        found += [own for method in methods if (own := method.per_instance.get(id(holder))) is not None]
    return found


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
                _trace_by_signature(machine, machine.attribute(saved, name, call.node), call.node)
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
    return LibraryObject("module", call.name, call.origin, {})


@function("tensorflow.saved_model.load")
def load(call: Call) -> Value:
    place = _place(call.get(0, "export_dir"))
    saved = call.machine.saved.get(place) if place is not None else None
    if not isinstance(saved, Instance):
        return UNKNOWN
    made = LibraryObject("loaded", call.name, call.origin, {})
    made.cells[SAVED] = saved
    return made


@object_methods("loaded")
def loaded_method(
    machine: Machine, receiver: LibraryObject, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """Run on 2.21: what is loaded traces nothing, and its functions keep their signatures."""
    saved = receiver.cells[SAVED]
    callee = machine.attribute(saved, name, node) if saved.cls.find(name) is not None else UNKNOWN
    if _signature(callee) is not None:
        note_refused(machine, callee, arguments, node)
    return UNKNOWN


@function("tempfile.mkdtemp")
def temporary_folder(call: Call) -> Value:
    return AbstractNumber("str")


@function("tempfile.TemporaryDirectory")
def temporary_directory(call: Call) -> Value:
    made = LibraryObject("temporary directory", call.name, call.origin, {})
    made.cells["name"] = made.cells[PLACE] = AbstractNumber("str")
    return made
