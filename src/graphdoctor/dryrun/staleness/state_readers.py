"""Who reads the state that traced code changes: known only when the whole program was looked at."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, Final

from graphdoctor.dryrun.staleness.own_writes import is_of_own_write
from graphdoctor.dryrun.values import Class, Dictionary, Instance, Sequence, Tensor, Value

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import SourceModule
    from graphdoctor.dryrun.core.machine import Machine

CONTAINERS: Final = frozenset((Sequence, Dictionary))
STARTING: Final = ("__init__", "__post_init__", "build", "__repr__", "__str__", "get_config")


class Read:
    """One expression that reads a piece of state: in which function, and whether while tracing."""

    __slots__ = ("cls", "function", "module", "name", "node", "traced")

    def __init__(self, node: ast.AST, module: SourceModule, cls: Class | None = None) -> None:
        self.node = node
        self.module = module
        self.cls = cls
        self.function: ast.AST | None = None
        self.name = ""
        self.traced = False


class Readers:
    """The reads of attributes, names, lists and dicts, by what they read."""

    def __init__(self) -> None:
        self._reads: dict[Hashable, dict[tuple[int, bool], Read]] = {}
        self._attributes: set[tuple[int, bool]] = set()  # expressions whose read of one is among them
        self.filling: set[int] = set()  # expressions that are only the target of a change
        self.traced: set[ast.AST] = set()  # functions that ran while tracing
        self.escaped: set[tuple[int, Hashable]] = set()  # what has held a symbolic tensor, in which entry

    def note_filling(self, target: ast.AST | None) -> None:
        """An expression names what is changed, as `self.history["loss"]` before `.append(…)`."""
        while target is not None:
            self.filling.add(id(target))
            target = target.value if isinstance(target, ast.Subscript) else None

    def note(self, machine: Machine, holder: Any, name: str, value: Value | None, node: ast.AST) -> None:
        """An expression reads an attribute or an outer name, and the list or dict that is there."""
        cls = holder.cls if isinstance(holder, Instance) else None
        place = (id(node), machine.graph is not None)
        if cls is None or place not in self._attributes:
            key = key_of_cell(holder, name)
            if not self._is_reset(machine, key, value):
                self._add(machine, key, node, cls)
                if cls is not None:
                    self._attributes.add(place)
        if value.__class__ in CONTAINERS:
            self.note_container(machine, value, node)

    def _is_reset(self, machine: Machine, key: Hashable, value: Value | None) -> bool:
        """Whether eager code has set it again after the trace."""
        return isinstance(value, Tensor) and value.graph is None and (machine.entry, key) in self.escaped

    def note_container(self, machine: Machine, value: Value | None, node: ast.AST) -> None:
        """An expression reads a list or dict, and those that are in it."""
        if not isinstance(value, (Sequence, Dictionary)):
            return
        self._add(machine, key_of_container(value), node, None)
        if value.__class__ is Dictionary:
            for inner in value.cells.values():
                if isinstance(inner, (Sequence, Dictionary)):
                    self._add(machine, key_of_container(inner), node, None)

    def _add(self, machine: Machine, key: Hashable, node: ast.AST, cls: Class | None) -> None:
        reads = self._reads.get(key)
        if reads is None:
            reads = self._reads[key] = {}
        place = (id(node), machine.graph is not None)
        if place not in reads:
            activation = machine.activation
            read = reads[place] = Read(node, activation.module, cls)
            read.function = activation.function.node if activation.function else None
            read.name, read.traced = activation.name, place[1]

    def of(self, key: Hashable, cls: Class | None) -> Iterator[Read]:
        """The reads of a piece of state, but for those that only change it."""
        for read in self._reads.get(key, {}).values():
            if id(read.node) not in self.filling and _may_be_same(cls, read.cls):
                yield read

    def outside(self, key: Hashable, cls: Class | None = None) -> Read | None:
        """A read in code that is never traced."""
        found = (read for read in self.of(key, cls) if not read.traced and read.function not in self.traced)
        return next((read for read in found if is_of_others(read)), None)

    def anywhere(self, key: Hashable, cls: Class | None = None) -> Read | None:
        """Any read."""
        return next(self.of(key, cls), None)

    def carried(self, key: Hashable, cls: Class | None = None) -> Read | None:
        """A read that gets what an earlier trace or call has counted."""
        found = (read for read in self.of(key, cls) if read.traced or read.function in self.traced)
        return next(found, None)

    def while_tracing(self, key: Hashable, cls: Class | None = None) -> bool:
        """Whether traced code reads it."""
        return any(read.traced for read in self.of(key, cls))


def key_of_cell(holder: Any, name: str) -> Hashable:
    """What stands for an attribute of the objects of a class, or for a name of a scope."""
    return ("attribute", name) if isinstance(holder, Instance) else (id(holder), name)


def key_of_container(value: Sequence | Dictionary) -> Hashable:
    """What stands for all lists that one place of the program makes."""
    return ("made", id(value.origin.node or value))


def is_of_others(read: Read) -> bool:
    """Whether a read gets what a trace has left: not before any trace, and not what its function has set."""
    if read.name in STARTING or is_for_base(read):
        return False
    return not is_of_own_write(read.node, read.function)


def is_for_base(read: Read) -> bool:
    """Whether a base of another library may be the one who calls the reader, and that while tracing."""
    if read.cls is None or not isinstance(read.function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    is_property = any(
        isinstance(each, ast.Name) and each.id == "property" for each in read.function.decorator_list
    )
    return read.cls.is_open or (is_property and bool(read.cls.libraries))


def _may_be_same(one: Class | None, other: Class | None) -> bool:
    return one is None or other is None or one in other.ancestry or other in one.ancestry
