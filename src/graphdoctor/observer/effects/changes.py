"""What traced code changes outside itself, seen by looking before and after its trace."""

import collections
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.captured_state.captures import remembered
from graphdoctor.observer.objects import peek
from graphdoctor.observer.objects.operands import describe_operand
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.observer.user_code.reached_functions import Reached
from graphdoctor.observer.user_code.reads import ATTRIBUTE, Read, Store
from graphdoctor.recording.format import Effect, State, Value

MOST_CHANGES = 100
MOST_ITEMS = 1000
GROWING = ("append", "extend", "insert", "appendleft")


class Watch(NamedTuple):
    """A place that may change something; `changed` gives the new value, or MISSING when nothing changed."""

    what: str  # as in an Effect
    name: str
    place: tuple[str, int]
    function: str
    changed: Callable[[], Any]
    old: Value | None = None
    state: State | None = None
    counted: bool = False


def possible_changes(functions: list[Reached]) -> list[Watch]:
    """The places in code that is about to be traced that may change what stands outside."""
    found: dict[object, Watch] = {}
    for reached in functions:
        for watch in (*_stores(reached), *_fills(reached)):
            if len(found) < MOST_CHANGES:
                found.setdefault((watch.place, watch.name), watch)
    return list(found.values())


def changes(watched: list[Watch], reported: set[tuple[str, int]], trace: int) -> Iterator[Effect]:
    """What the trace changed, except at the places that are reported already."""
    for watch in watched:
        now = watch.changed() if watch.place not in reported else peek.MISSING
        if now is peek.MISSING:
            continue
        yield Effect(
            trace=trace,
            chain=chain_at(*watch.place, watch.function),
            what=watch.what,
            name=watch.name,
            values=(_value(now),),
            old=watch.old,
            state=watch.state,
            counted=watch.counted,
            once=watch.function.rpartition(".")[2] in ("__init__", "build"),
            shows="tensor" if internals.is_symbolic(now) else "constant" if peek.is_plain(now) else "",
        )


def _stores(reached: Reached) -> Iterator[Watch]:
    """The names and the attributes of the function's own object that it stores to."""
    for store in reached.outside.stores:
        look = _looking_at(reached, store)
        old = look()
        if old is peek.MISSING or old is None:  # made now, and once
            continue
        attribute = store.base == ATTRIBUTE
        yield Watch(
            what="attribute" if attribute else "global",
            name=f"self.{store.name}" if attribute else store.name,
            place=(reached.code.co_filename, store.line),
            function=reached.name,
            changed=_changed(remembered(old), look),
            old=_value(old),
            counted=store.counted,
        )


def _looking_at(reached: Reached, store: Store) -> Callable[[], Any]:
    if store.base != ATTRIBUTE:
        read = Read(store.base, store.name, (), store.line, store.order)
        return lambda: reached.base(read)

    def attribute() -> Any:
        owner = reached.owner()
        return peek.MISSING if owner is None else peek.attribute(owner, store.name)

    return attribute


def _changed(before: Any, look: Callable[[], Any]) -> Callable[[], Any]:
    def changed() -> Any:
        now = look()
        return peek.MISSING if peek.is_same(before, now) else now

    return changed


def _fills(reached: Reached) -> Iterator[Watch]:
    """The dicts that items are stored in, and the lists that grow."""
    for read in reached.outside.reads:
        grows = bool(read.steps) and not read.steps[-1].item and read.steps[-1].key in GROWING
        if not grows and not read.fills:
            continue
        steps = read.steps[:-1] if grows else read.steps
        inner = Read(read.base, read.name, steps, read.line, read.order)
        container = _container(reached, inner)
        if not isinstance(container, list | collections.deque if grows else dict):
            continue
        name = read.name + "".join(map(str, steps))
        yield Watch(
            what="append" if grows else "item",
            name=name,
            place=(reached.code.co_filename, read.line),
            function=reached.name,
            changed=_filled(container, reached, inner),
            state=State(kind=type(container).__name__, name=name),
        )


def _container(reached: Reached, read: Read) -> Any:
    *_, (count, value) = [(-1, None), *reached.values(read)]
    return peek.unwrapped(value) if count == len(read.steps) else None


def _filled(container: Any, reached: Reached, read: Read) -> Callable[[], Any]:
    """What was added to a container since; what it held is known by identity, and nothing is kept alive."""
    identity, length, held = id(container), len(container), _held(container)

    def filled() -> Any:
        now = _container(reached, read)
        if id(now) != identity:
            return peek.MISSING
        if isinstance(now, dict):
            new = (value for key, value in now.items() if held.get(id(key)) != id(value))
            return next(new, peek.MISSING) if len(now) <= MOST_ITEMS else peek.MISSING
        return now[-1] if len(now) > length else peek.MISSING

    return filled


def _held(container: Any) -> dict[int, int]:
    items = container.items() if isinstance(container, dict) and len(container) <= MOST_ITEMS else ()
    return {id(key): id(value) for key, value in items}


def _value(value: Any) -> Value:
    reported = describe_operand("", value)
    return Value(
        kind=reported.kind, type=reported.type, text=reported.text, dtype=reported.dtype, shape=reported.shape
    )
