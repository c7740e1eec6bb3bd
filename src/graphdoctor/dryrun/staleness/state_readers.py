"""Who reads the state that traced code changes: known only when the whole program was looked at."""

from __future__ import annotations

import ast
from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from graphdoctor.dryrun.values import Class, Dictionary, Instance, Sequence, Tensor, Value
from graphdoctor.source.def_use import def_use_of
from graphdoctor.source.nodes import walk

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.context import SourceModule
    from graphdoctor.dryrun.core.machine import Machine

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
CONTAINERS: Final = frozenset((Sequence, Dictionary))
STARTING: Final = ("__init__", "__post_init__", "build", "__repr__", "__str__", "get_config")


@dataclass(slots=True, eq=False)
class Read:
    """One expression that reads a piece of state: in which function, and whether while tracing."""

    node: ast.AST
    module: SourceModule
    cls: Class | None = None
    function: ast.AST | None = None
    name: str = ""
    traced: bool = False


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
    known = isinstance(read.function, FUNCTIONS) and isinstance(read.node, (ast.Attribute, ast.Name))
    return not (known and def_use_of(read.function).is_own(read.node))  # type: ignore[arg-type]


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


def read_of_outer_name(function: ast.AST, name: str) -> ast.Name | None:
    """Where a function reads a name that is not its own."""
    if _is_own(function, name):
        return None
    return next(_reads(function, name, ()), None)


def read_of_shared_name(function: ast.AST, name: str, traced: Collection[ast.AST]) -> ast.Name | None:
    """Where a function reads its own name, outside the traced function in it that sets the name."""
    inner = [node for node in walk(function) if node in traced and node is not function]
    if not inner or not _is_own(function, name):
        return None
    return next(_reads(function, name, inner), None)


def _reads(function: ast.AST, name: str, without: Collection[ast.AST]) -> Iterator[ast.Name]:
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        if node in without:
            continue
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node
        waiting += ast.iter_child_nodes(node)


def _is_own(function: ast.AST, name: str) -> bool:
    """Whether a name is a parameter of a function, or set in it and not declared as another's."""
    if not isinstance(function, FUNCTIONS):
        return False
    own = False
    waiting: list[ast.AST] = [function.args, *function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return False
        own = own or (isinstance(node, ast.arg) and node.arg == name)
        own = own or (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store))
        if not isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)
    return own
