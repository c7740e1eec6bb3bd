"""Calls that ran a graph into which a value was traced that has changed since."""

import functools
import itertools
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.captured_state.captures import captures_of, steady
from graphdoctor.observer.captured_state.watched_captures import Key, Watched
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.branches import SkippedLines
from graphdoctor.observer.user_code.reached_functions import reach_of
from graphdoctor.recording.format import Problem, Stale

EVERY_CALL = 1000  # so many calls of a function are all looked at; after them
STRIDE = 16  # one in so many is, and stands for those since the last one
MOST_FUNCTIONS = 1000


class _Listener:
    """All Function objects of one code or callable object, which is what TensorFlow counts calls by."""

    def __init__(self) -> None:
        self.functions: dict[int, Watched] = {}
        self.hits = itertools.count(1)
        self.was_stale: set[Key] = set()


class StaleValues(Probe):
    """Remembers what each trace captured; at each cached call looks whether it still holds.

    Which Function object was called is known, but not which of its traces: a value is stale only
    when none of them was made with it. `ExactStaleValues` knows more and costs more.
    """

    def __init__(self, emit: Emit, skipped: SkippedLines) -> None:
        self._emit = emit
        self._skipped = skipped
        self._begun: dict[int, tuple[Any, ...]] = {}
        self._listeners: weakref.WeakKeyDictionary[Any, _Listener] = weakref.WeakKeyDictionary()
        self._finished: list[Watched] = []
        self._undoing: list[Callable[[], None]] = []
        self._references: dict[int, weakref.ref[Any]] = {}
        self._broken = False

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if internals.code_of(function) is None or options.function_captures is None:
            return
        captures, values = captures_of(reach_of(event, function))
        if values:
            reference = weakref.ref(options.function_captures)
            self._begun[event["number"]] = (internals.counted_by(function), reference, captures, values)

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        counted_by, reference, captures, values = self._begun.pop(event["number"], (None,) * 4)
        function_captures = reference() if reference is not None else None
        if error is not None or counted_by is None or function_captures is None:
            return
        captures, values = steady(captures, values, self._skipped.lines)
        watched = self._watched(event, counted_by, function_captures) if values else None
        if watched is not None:
            watched.add(event["number"], captures, values)

    def paused(self) -> None:
        while self._undoing:
            self._undoing.pop()()

    def resumed(self) -> None:
        for counted_by, listener in list(self._listeners.items()):
            self._listen(counted_by, listener)

    def closing(self) -> Iterator[Stale]:
        for watched in list(self._all()):
            yield from watched.untold()

    def _all(self) -> Iterator[Watched]:
        yield from self._finished
        for listener in list(self._listeners.values()):
            yield from list(listener.functions.values())

    def _watched(self, event: Event, counted_by: Any, function_captures: Any) -> Watched | None:
        listener = self._listeners.get(counted_by)
        if listener is None:
            listener = self._listeners[counted_by] = _Listener()
            self._listen(counted_by, listener)
        key = id(function_captures)
        if key not in listener.functions and len(listener.functions) < MOST_FUNCTIONS:
            listener.functions[key] = Watched(event["object"], event["function"])
            self._references[key] = weakref.ref(
                function_captures, functools.partial(self._forget, listener, key)
            )
        return listener.functions.get(key)

    def _listen(self, counted_by: Any, listener: _Listener) -> None:
        heard = functools.partial(self._hit, listener)
        self._undoing.append(internals.listen_to_hits(counted_by, heard))

    def _forget(self, listener: _Listener, key: int, reference: Any) -> None:
        """A Function object is gone; what its calls did is not."""
        if self._references.get(key) is reference:
            del self._references[key]
            watched = listener.functions.pop(key, None)
            if watched is not None and watched.stale:
                self._finished.append(watched)

    def _hit(self, listener: _Listener) -> None:
        """A function of this code was called and was not traced."""
        hits = next(listener.hits)
        if not self._broken and (hits <= EVERY_CALL or hits % STRIDE == 0):
            self._guard(self._look, listener, 1 if hits <= EVERY_CALL else STRIDE)

    def _look(self, listener: _Listener, calls: int) -> None:
        functions = listener.functions
        alone = len(functions) == 1
        if alone:
            ((key, watched),) = functions.items()
            changed = watched.changed()
            if not changed:
                listener.was_stale.clear()
                return
        called = id(internals.captures_of_called_function())
        if called not in functions or (alone and called != key):
            return
        watched = functions[called]
        changed = changed if alone else watched.changed()
        for captured, value in changed:
            since = calls if alone and captured in listener.was_stale else 1
            self._tell(watched, captured, value, since)
        listener.was_stale = {captured for captured, _ in changed}

    def _tell(self, watched: Watched, key: Key, value: Any, calls: int) -> None:
        stale = watched.count(key, value, calls)
        if stale.worth_telling:
            self._emit(watched.tell(key))

    def _guard(self, action: Callable[..., None], *arguments: Any) -> None:
        """Never raises into the program: after a fault of ours, it is noted and we stay silent."""
        try:
            action(*arguments)
        except Exception as error:
            self._broken = True
            message = f"{type(self).__name__}: {type(error).__name__}: {error}"
            self._emit(Problem(message=message[:500]))
