"""Calls that ran a graph into which a value was traced that has changed since."""

import dataclasses
import functools
import itertools
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer import peek
from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.captures import Capture, Captures, captures_of
from graphdoctor.observer.probe import Event, Probe
from graphdoctor.observer.reach import reach_of

MOST_VALUES = 16
EVERY_CALL = 1000  # so many calls of a function are all looked at; after them
STRIDE = 16  # one in so many is, and stands for those since the last one

Key = tuple[Any, ...]


@dataclasses.dataclass
class _Stale:
    """A capture that calls were seen to use although it had changed."""

    then: str
    trace: int
    now: str = ""
    calls: int = 0
    told: int = 0


class _Watched:
    """One Function object: what its traces captured."""

    def __init__(self, captures: Any, number: int) -> None:
        self.reference = weakref.ref(captures)
        self.number = number
        self.captures: Captures = {}
        self.values: dict[Key, list[tuple[Any, int]]] = {}  # what each trace found, the latest last
        self.stale: dict[Key, _Stale] = {}

    def add(self, trace: int, captures: Captures, values: dict[Key, Any]) -> None:
        """Take in what a trace captured."""
        for key, value in values.items():
            self.captures[key] = captures[key]
            known = self.values.setdefault(key, [])
            known[:] = [pair for pair in known if not peek.is_same(pair[0], value)]
            known.append((value, trace))
            if len(known) > MOST_VALUES:  # traced again for each new value, it seems: nothing is stale
                self.captures.pop(key)
                self.values.pop(key)

    def changed(self) -> list[tuple[Key, Any]]:
        """The captures that no trace of this Function saw as they are now."""
        found = []
        for key, known in self.values.items():
            value = self.captures[key].now()
            if value is known[-1][0] or value is peek.MISSING:  # what is gone says nothing
                continue
            if not any(peek.is_same(kept, value) for kept, _ in known):
                found.append((key, value))
        return found

    def count(self, key: Key, value: Any, calls: int) -> _Stale:
        """Note that calls used what was traced, not this value."""
        kept, trace = self.values[key][-1]
        stale = self.stale.setdefault(key, _Stale(peek.text_of(kept), trace))
        stale.now = peek.text_of(value)
        stale.calls += calls
        return stale


class _Listener:
    """All Function objects of one code object, which is what TensorFlow counts calls by."""

    def __init__(self) -> None:
        self.functions: list[_Watched] = []
        self.hits = itertools.count(1)
        self.was_stale: set[Key] = set()


class StaleValues(Probe):
    """Remembers what each trace captured; at each cached call looks whether it still holds."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._begun: dict[int, tuple[Any, ...]] = {}
        self._listeners: weakref.WeakKeyDictionary[types.CodeType, _Listener] = weakref.WeakKeyDictionary()
        self._closed = False

    def begun(self, event: Event, function: Any, options: Any) -> None:
        code = internals.code_of(function)
        if code is None or options.function_captures is None:
            return
        captures, values = captures_of(reach_of(event, function))
        if values:
            reference = weakref.ref(options.function_captures)
            self._begun[event["number"]] = (code, reference, captures, values)

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        code, reference, captures, values = self._begun.pop(event["number"], (None,) * 4)
        function_captures = reference() if reference is not None else None
        if error is not None or code is None or function_captures is None:
            return
        steady = {key: value for key, value in values.items() if peek.is_same(value, captures[key].now())}
        if steady:
            self._watched(code, function_captures, event["object"]).add(event["number"], captures, steady)

    def closing(self) -> Iterator[Event]:
        self._closed = True
        for listener in list(self._listeners.values()):
            for watched in listener.functions:
                for key, stale in watched.stale.items():
                    if stale.calls > stale.told:
                        yield _event(watched, watched.captures[key], stale)

    def _watched(self, code: types.CodeType, function_captures: Any, number: int) -> _Watched:
        listener = self._listeners.get(code)
        if listener is None:
            listener = self._listeners[code] = _Listener()
            internals.listen_to_hits(code, functools.partial(self._hit, listener))
        for watched in listener.functions:
            if watched.reference() is function_captures:
                return watched
        watched = _Watched(function_captures, number)
        listener.functions = [known for known in listener.functions if known.reference() or known.stale]
        listener.functions.append(watched)
        return watched

    def _hit(self, listener: _Listener) -> None:
        """A function of this code was called and was not traced. Never raises: the program's call is done."""
        hits = next(listener.hits)
        if self._closed or (hits > EVERY_CALL and hits % STRIDE):
            return
        try:
            self._look(listener, STRIDE if hits > EVERY_CALL else 1)
        except Exception as error:
            self._closed = True
            self._emit({"event": "problem", "message": f"StaleValues: {type(error).__name__}: {error}"[:500]})

    def _look(self, listener: _Listener, calls: int) -> None:
        changed = [(watched, *pair) for watched in listener.functions for pair in watched.changed()]
        if not changed and not listener.was_stale:
            return
        called = internals.captures_of_called_function() if changed else None
        seen = set()
        for watched, key, value in changed:
            if called is not None and watched.reference() is called:
                seen.add(key)
                stale = watched.count(key, value, calls if key in listener.was_stale else 1)
                self._tell(watched, watched.captures[key], stale)
        listener.was_stale = seen

    def _tell(self, watched: _Watched, capture: Capture, stale: _Stale) -> None:
        """Write at the 1st, 10th, 100th … call, so that a killed program has told nearly all."""
        if stale.calls >= max(1, 10 * stale.told):
            self._emit(_event(watched, capture, stale))
            stale.told = stale.calls


def _event(watched: _Watched, capture: Capture, stale: _Stale) -> Event:
    return {
        "event": "stale",
        "trace": stale.trace,
        "object": watched.number,
        "name": capture.name,
        "kind": capture.kind,
        "holder": capture.holder,
        "then": stale.then,
        "now": stale.now,
        "calls": stale.calls,
        "path": capture.path,
        "line": capture.line,
        "reader": capture.reader,
    }
