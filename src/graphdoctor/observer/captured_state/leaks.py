"""Tensors of a finished graph that something outside still holds, with the holder's name."""

import collections
import dataclasses
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.objects import peek
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.observer.user_code.reached_functions import Reached, reach_of
from graphdoctor.observer.user_code.reads import CELL, GLOBAL, Read, Store
from graphdoctor.recording.format import Definition, Escape, State, Value

MOST_ELEMENTS = 50
MOST_OBJECTS = 100
MOST_LEAKS = 200
DEEPEST = 2
GROWING = (list, set, collections.deque)


@dataclasses.dataclass(frozen=True)
class _Held:
    """Something that traced code stored outside itself, and that may hold a tensor now."""

    kind: str
    holder: str
    name: str
    line: int
    certain: bool
    value: Any


class LeakedTensors(Probe):
    """After each trace, looks into what its code stored or filled outside itself; a bounded number of it."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._begun: dict[int, list[Reached]] = {}
        self._reported: set[tuple[str, str, int]] = set()

    def begun(self, event: Event, function: Any, options: Any) -> None:
        self._begun[event["number"]] = reach_of(event, function)

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        functions = self._begun.pop(event["number"], [])
        if error is not None or len(self._reported) >= MOST_LEAKS:
            return
        for reached in functions:
            kept: set[tuple[int, int]] = set()
            for held in _held_by(reached):
                tensor = _leaked(held.value, graph)
                place = (held.holder, reached.code.co_filename, reached.code.co_firstlineno)
                if tensor is None or place in self._reported or (held.line, id(tensor)) in kept:
                    continue
                self._reported.add(place)
                kept.add((held.line, id(tensor)))
                self._emit(_event(event, reached, held, tensor, functions))


def _event(event: Event, reached: Reached, held: _Held, tensor: Any, functions: list[Reached]) -> Escape:
    fields = internals.tensor_fields(tensor)
    _, dtype, shape = fields if fields is not None else ("", "", None)
    return Escape(
        trace=event["number"],
        chain=chain_at(reached.code.co_filename, held.line, reached.name),
        tensor=Value(kind="tensor", text=internals.tensor_name(tensor), dtype=dtype, shape=shape),
        state=State(kind=held.kind, name=held.name, holder=held.holder),
        again=held.certain,
        ran=tuple(
            Definition(name=each.name, path=each.code.co_filename, line=each.code.co_firstlineno)
            for each in functions[:MOST_OBJECTS]
        ),
    )


def _held_by(reached: Reached) -> Iterator[_Held]:
    for store in reached.outside.stores:
        yield from _stored(reached, store)
    for read in reached.outside.reads:
        yield from _filled(reached, read)


def _stored(reached: Reached, store: Store) -> Iterator[_Held]:
    """What a store left behind. It is met again if the same code reads the name before it stores it."""
    if store.base in (GLOBAL, CELL):
        read = Read(store.base, store.name, (), store.line, store.order)
        where = "global" if store.base == GLOBAL else "closure variable"
        certain = any(
            (other.base, other.name) == (store.base, store.name) and other.order < store.order
            for other in reached.outside.reads
        )
        kind, holder = "global" if store.base == GLOBAL else "cell", f"{where} `{store.name}`"
        yield _Held(kind, holder, store.name, store.line, certain, reached.base(read))
        return
    certain = any(
        step.key == store.name and read.order < store.order
        for read in reached.outside.reads
        for step in read.steps
    )
    for owner in _objects(reached):
        holder = f"`{type(owner).__name__}.{store.name}`"
        value = peek.attribute(owner, store.name)
        yield _Held("attribute", holder, store.name, store.line, certain, value)


def _objects(reached: Reached) -> list[Any]:
    """The objects whose attributes the code may set: `self`, and all that it reads on its way."""
    found = {id(value): value for read in reached.outside.reads for _, value in reached.values(read)}
    owner = reached.owner()
    if owner is not None:
        found[id(owner)] = owner
    return [value for value in found.values() if not peek.is_plain(value)][:MOST_OBJECTS]


def _filled(reached: Reached, read: Read) -> Iterator[_Held]:
    """A container from outside that the code reads, unless the code puts a new one in its place."""
    stored = reached.outside.stored
    for count, found in reversed(list(reached.values(read))):  # what holds it, before what holds that
        value = peek.unwrapped(found)
        last = read.steps[count - 1].key if count else read.name
        if not isinstance(value, (*GROWING, dict)) or last in stored:
            continue
        name = read.name + "".join(map(str, read.steps[:count]))
        certain = isinstance(value, GROWING) or _read_before_filled(reached, read, count)
        kind = type(value).__name__
        yield _Held(kind, f"{kind} `{name}`", str(last), read.line, certain, value)


def _read_before_filled(reached: Reached, read: Read, count: int) -> bool:
    """Whether the code looks into a dictionary before it fills it, as a cache does."""
    same = [
        other
        for other in reached.outside.reads
        if (other.base, other.name, other.steps[:count]) == (read.base, read.name, read.steps[:count])
    ]
    first = min(same, key=lambda other: other.order)
    return not first.fills


def _leaked(value: Any, graph: Any, depth: int = 0) -> Any:
    """A tensor of the finished graph that is the value, or in it; None if there is none."""
    if internals.belongs_to(value, graph):
        return value
    if depth >= DEEPEST:
        return None
    for element in _elements(value):
        found = _leaked(element, graph, depth + 1)
        if found is not None:
            return found
    return None


def _elements(value: Any) -> list[Any]:
    """The first and the last elements of a container."""
    value = peek.unwrapped(value)
    if isinstance(value, dict):
        value = list(dict.values(value))
    elif isinstance(value, set):
        value = list(set.__iter__(value))[:MOST_ELEMENTS]
    elif isinstance(value, collections.deque):
        value = list(value)
    elif not isinstance(value, list | tuple):
        return []
    return [*value[:MOST_ELEMENTS], *value[MOST_ELEMENTS:][-MOST_ELEMENTS:]]
