"""What traces captured, compared with what stands there now."""

import dataclasses
from collections.abc import Iterator
from typing import Any

from graphdoctor.observer.captured_state import comparable_values
from graphdoctor.observer.captured_state.captures import Captures
from graphdoctor.observer.captured_state.comparable_values import Kept
from graphdoctor.observer.objects import peek
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.recording.format import Definition, Stale, State, Value

MOST_VALUES = 16

Key = tuple[Any, ...]


@dataclasses.dataclass
class Counted:
    """A capture that calls were seen to use although it had changed."""

    then: Value
    trace: int
    now: Value
    calls: int = 0
    reported: int = 0

    @property
    def worth_telling(self) -> bool:
        """At the 1st, 10th, 100th … call: a killed program has reported nearly all, and never much."""
        return self.calls >= max(1, 10 * self.reported)


def value_of(value: Any) -> Value:
    """What is known of a value that is kept, or that stands there now; its text as a person reads it."""
    if isinstance(value, Kept):
        return value.value
    if peek.is_plain(value) or isinstance(value, str):
        return Value(kind="value", type=peek.type_of(value), text=peek.text_of(value))
    return comparable_values.value_of(value)


class Watched:
    """What the traces of one Function object captured; refers to the program's objects weakly."""

    def __init__(self, number: int, function: Definition) -> None:
        self.number = number
        self.function = function
        self.captures: Captures = {}
        self.values: dict[Key, list[tuple[Any, int]]] = {}  # what each trace found, the latest last
        self.stale: dict[Key, Counted] = {}

    def add(self, trace: int, captures: Captures, values: dict[Key, Any]) -> None:
        """Take in what a trace captured."""
        for key, value in values.items():
            known_as = self.captures.setdefault(key, captures[key])
            if known_as.argument != captures[key].argument:  # unknown which object a call was given
                self.values.pop(key, None)
                continue
            self.captures[key] = captures[key]
            known = self.values.setdefault(key, [])
            known[:] = [pair for pair in known if not peek.is_same(pair[0], value)]
            known.append((value, trace))
            if len(known) > MOST_VALUES:  # traced again for each new value, it seems: nothing is stale
                self.values.pop(key)

    def changed(self) -> list[tuple[Key, Any]]:
        """The captures that no trace saw as they are now, and what they are."""
        found = []
        for key, known in self.values.items():
            value = self.captures[key].now()
            if value is known[-1][0] or value is peek.MISSING:  # what is gone says nothing
                continue
            if not any(peek.is_same(kept, value) for kept, _ in known):
                found.append((key, value))
        return found

    def count(self, key: Key, value: Any, calls: int) -> Counted:
        """Note that calls used what was traced, not this value."""
        kept, trace = self.values[key][-1]
        now = value_of(value)
        stale = self.stale.setdefault(key, Counted(value_of(kept), trace, now))
        stale.now = now
        stale.calls += calls
        return stale

    def tell(self, key: Key) -> Stale:
        """The event that says what is known of a stale capture now."""
        capture, stale = self.captures[key], self.stale[key]
        stale.reported = stale.calls
        return Stale(
            trace=stale.trace,
            object=self.number,
            chain=chain_at(capture.path, capture.line, capture.reader),
            function=self.function,
            state=State(kind=capture.kind, name=capture.name, holder=capture.holder),
            then=stale.then,
            now=stale.now,
            calls=stale.calls,
        )

    def untold(self) -> Iterator[Stale]:
        """The events that were not worth telling yet."""
        for key, stale in self.stale.items():
            if stale.calls > stale.reported:
                yield self.tell(key)
