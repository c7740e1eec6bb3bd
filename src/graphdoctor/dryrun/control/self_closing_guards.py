"""Code under a condition that it closes itself runs once, traced or not: `if self.table is None: …`."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from graphdoctor.dryrun.values import Dictionary, Sequence, Value
from graphdoctor.source.def_use import CHANGING_METHODS
from graphdoctor.source.nodes import spelled, walk
from graphdoctor.source.remembering import remembered

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine

GROWING = frozenset(("append", "appendleft", "insert", "extend"))
SETTING = frozenset((ast.Global, ast.Nonlocal, ast.Attribute, ast.Subscript, ast.Call))
ANY = object()  # stands for all elements of a list or dict
ASKING = ("hasattr", "isinstance", "len", "getattr", "id", "type", "str", "tuple", "bool")
Places = set[tuple[int, Any]]


@dataclass(slots=True, eq=False)
class Guard:
    """A condition that led here, the state that it read, and whether code under it changed that state."""

    test: ast.expr
    holds: bool
    places: Places
    start: int  # how many events there were
    closed: bool = False
    repeated: bool = False  # the graph changes a variable there, at each call
    lasting: bool = False  # what the graph computes depends on what was made there
    changed: list[tuple[int, Any]] = field(default_factory=list)  # the state that was changed


@remembered(8192)
def asks_for_own_state(node: ast.If, around: ast.AST) -> bool:
    """Whether a condition asks for what the code around it sets itself: `if key not in self.steps: …`.

    A list that other code of the function fills does not end `if len(memory) >= batch:`; it comes to that.
    """
    state = _state_set(around, CHANGING_METHODS)
    if not state:
        return False
    parts = [each for each in walk(node.test) if isinstance(each, (ast.Name, ast.Attribute, ast.Call))]
    asked = {_asked(each) for each in parts} & state
    lengths = asked & {spelled(each.args[0]) for each in parts if _is_length(each)}
    return bool(asked - lengths) or not lengths <= _filled(around) - _state_set(node, CHANGING_METHODS)


def _filled(around: ast.AST) -> frozenset[str]:
    """The lists that some code fills, and does nothing else to."""
    return _state_set(around, GROWING) - _state_set(around, CHANGING_METHODS - GROWING)


def _is_length(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and spelled(node.func) == "len" and len(node.args) == 1


def _asked(node: ast.expr) -> str:
    """What a part of a condition asks for: `hasattr(self, "step")` for `self.step`."""
    if isinstance(node, ast.Call) and spelled(node.func) in ("hasattr", "getattr") and len(node.args) > 1:
        holder, name = node.args[:2]
        return f"{spelled(holder)}.{getattr(name, 'value', '')}"
    return spelled(node)


def _state_set(around: ast.AST, methods: frozenset[str]) -> frozenset[str]:
    """The lists and dicts that some code changes by these methods, and what else it sets, by name."""
    return frozenset([name for name, method in _changes(around) if not method or method in methods])


@remembered(8192)
def _changes(around: ast.AST) -> tuple[tuple[str, str], ...]:
    """What some code sets, by name; and what it changes by one of the methods that do, with that method."""
    found: dict[tuple[str, str], None] = {}
    for node in walk(around):
        if node.__class__ not in SETTING:
            continue
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING_METHODS:
                found[spelled(node.func.value), node.func.attr] = None
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update({(name, ""): None for name in node.names})
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found[spelled(node), ""] = None
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found[spelled(node.value), ""] = None
    return tuple(found)


def note_read(machine: Machine, cells: Any, key: Any, value: Value | None) -> None:
    """Note that a condition reads a cell, and the list or dict that is there."""
    if machine.reading is not None:
        machine.reading.add((id(cells), key))
        if isinstance(value, (Sequence, Dictionary)) and machine.is_outer(value.origin.graph):
            machine.reading.add((id(value.cells), ANY))


def note_closing(machine: Machine, cells: Any, key: Any) -> None:
    """Note that state from outside changes: this may close the conditions around."""
    for guard in machine.guards:
        if (id(cells), key) in guard.places:
            guard.closed = True
            guard.changed.append((id(cells), key))


@contextlib.contextmanager
def under(machine: Machine, test: ast.expr, holds: bool, places: Places) -> Iterator[Guard]:
    """What runs here stands under a condition."""
    guard = Guard(test, holds, places, len(machine.log.events))
    machine.guards.append(guard)
    try:
        yield guard
    finally:
        machine.guards.remove(guard)
        close(machine, guard)


def close(machine: Machine, guard: Guard) -> None:
    """The end of what a condition guards: what it did is done once, if the condition is now another.

    Done once by Python: what it put into the graph is done at each call of that trace, and in no later one.
    """
    if not guard.closed or not _has_changed(machine, guard):
        return
    if not guard.repeated:
        machine.log.mark_once(guard.start)
    if guard.lasting:
        from graphdoctor.dryrun.staleness.stale_state import note_flipped

        note_flipped(machine, guard.changed)


def note_lasting(machine: Machine) -> None:
    """Note that the graph keeps what is made here, whatever becomes of the conditions around."""
    if machine.graph is not None:
        for guard in machine.guards:
            guard.lasting = True


def _has_changed(machine: Machine, guard: Guard) -> bool:
    from graphdoctor.dryrun.control.conditions import truth

    calls = [part for part in walk(guard.test) if isinstance(part, (ast.Call, ast.NamedExpr, ast.Await))]
    if any(getattr(getattr(call, "func", None), "id", "") not in ASKING for call in calls):
        return True
    return truth(machine.evaluate(guard.test)) is not guard.holds
