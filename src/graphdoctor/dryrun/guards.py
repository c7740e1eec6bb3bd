"""Code under a condition that it closes itself runs once, traced or not: `if self.table is None: …`."""

from __future__ import annotations

import ast
import contextlib
import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphdoctor.dryrun.values import Dictionary, Sequence, Value
from graphdoctor.source.survey import walk

if TYPE_CHECKING:
    from graphdoctor.dryrun.machine import Machine

CHANGING = ("append", "add", "update", "setdefault", "insert", "extend", "pop", "remove", "clear")
SETTING = frozenset((ast.Global, ast.Nonlocal, ast.Attribute, ast.Subscript, ast.Call))
ANY = object()  # stands for all elements of a list or dict
ASKING = ("hasattr", "isinstance", "len", "getattr", "id", "type", "str", "tuple", "bool")
Places = set[tuple[int, Any]]


class Guard:
    """A condition that led here, the state that it read, and whether code under it changed that state."""

    __slots__ = ("closed", "holds", "places", "repeated", "start", "test")

    def __init__(self, test: ast.expr, holds: bool, places: Places, start: int) -> None:
        self.test = test
        self.holds = holds
        self.places = places
        self.start = start  # how many events there were
        self.closed = False
        self.repeated = False  # the graph changes a variable there, at each call


@contextlib.contextmanager
def reading(machine: Machine) -> Iterator[Places]:
    """While open, the state that is read is noted in the set that is given."""
    around = machine.reading
    places: Places = set()
    machine.reading = places
    try:
        yield places
    finally:
        machine.reading = around
        if around is not None:
            around |= places


@functools.lru_cache(maxsize=8192)
def asks_for_own_state(test: ast.expr, around: ast.AST) -> bool:
    """Whether a condition asks for what the code around it sets itself: `if key not in self.steps: …`."""
    state = _state_set(around)
    parts = [each for each in walk(test) if isinstance(each, (ast.Name, ast.Attribute, ast.Call))]
    return bool(state) and any(_asked(each) in state for each in parts)


def _asked(node: ast.expr) -> str:
    """What a part of a condition asks for: `hasattr(self, "step")` for `self.step`."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("hasattr", "getattr") and len(node.args) > 1:
        holder, name = node.args[:2]
        return f"{ast.unparse(holder)}.{getattr(name, 'value', '')}"
    return ast.unparse(node)


@functools.lru_cache(maxsize=8192)
def _state_set(around: ast.AST) -> frozenset[str]:
    """The attributes, lists, dicts and outer names that some code changes, as it names them."""
    found: set[str] = set()
    for node in walk(around):
        if node.__class__ not in SETTING:
            continue
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(ast.unparse(node))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(ast.unparse(node.value))
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING
        ):
            found.add(ast.unparse(node.func.value))
    return frozenset(found)


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


@contextlib.contextmanager
def under(machine: Machine, test: ast.expr, holds: bool, places: Places) -> Iterator[None]:
    """What runs here stands under a condition."""
    if not places:
        yield
        return
    guard = Guard(test, holds, places, len(machine.log.events))
    machine.guards.append(guard)
    try:
        yield
    finally:
        machine.guards.remove(guard)
        close(machine, guard)


def close(machine: Machine, guard: Guard) -> None:
    """The end of what a condition guards: what it did is done once, if the condition is now another."""
    if guard.closed and not guard.repeated and _has_turned(machine, guard):
        machine.log.mark_once(guard.start)


def _has_turned(machine: Machine, guard: Guard) -> bool:
    from graphdoctor.dryrun.conditions import truth

    calls = [part for part in ast.walk(guard.test) if isinstance(part, (ast.Call, ast.NamedExpr, ast.Await))]
    if any(getattr(getattr(call, "func", None), "id", "") not in ASKING for call in calls):
        return True
    return truth(machine.evaluate(guard.test)) is not guard.holds
