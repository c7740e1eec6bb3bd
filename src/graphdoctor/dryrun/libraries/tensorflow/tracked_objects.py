"""What TensorFlow saves along with an object: all that its attributes, lists and dicts lead to.

Run on 2.21: objects of plain classes, functions and what a class holds lead to nothing. Where somebody who
is not known may have added something, it is unknown what is saved.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from graphdoctor.dryrun.core.escape_analysis import ESCAPED
from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.values import (
    REST,
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
