"""`--calls`: looks at every call, also nested ones, and knows which trace it ran."""

import dataclasses
import itertools
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.captured_state.stale_calls import StaleValues
from graphdoctor.observer.captured_state.watched_captures import Watched
from graphdoctor.observer.objects.describe import short_repr
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.branches import SkippedLines
from graphdoctor.observer.user_code.callsite import call_site
from graphdoctor.recording.format import Problem, SharedTrace, Value

MOST_SHARED = 1000


class _Traces:
    """Something about each ConcreteFunction, found by identity, forgotten when it dies."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def add(self, concrete: Any, record: Any) -> None:
        key = id(concrete)
        self._known[key] = (weakref.ref(concrete, lambda _: self._known.pop(key, None)), record)

    def get(self, concrete: Any) -> Any:
        known = self._known.get(id(concrete))
        return known[1] if known is not None else None


class ExactStaleValues(StaleValues):
    """Counts the calls that ran a trace made with a value that has changed since, trace by trace."""

    def __init__(self, emit: Emit, skipped: SkippedLines) -> None:
        super().__init__(emit, skipped)
        self._by_number: dict[int, Watched] = {}
        self._traces = _Traces()

    def created(self, event: Event, concrete: Any) -> None:
        watched = self._by_number.get(event["number"])
        if watched is not None:
            self._traces.add(concrete, watched)

    def hit(self, concrete: Any, function_type: Any) -> None:
        """A call found its trace."""
        watched = self._traces.get(concrete)
        if watched is not None and not self._broken:
            self._guard(self._look_at, watched)

    def _look_at(self, watched: Watched) -> None:
        for key, value in watched.changed():
            self._tell(watched, key, value, 1)

    def _watched(self, event: Event, code: types.CodeType, function_captures: Any) -> Watched:
        return self._by_number.setdefault(event["number"], Watched(event["object"], event["function"]))

    def _all(self) -> Iterator[Watched]:
        yield from self._by_number.values()


class SharedTraces(Probe):
    """Sees calls with `1.0` or `True` that run the trace made for `1`, since these are equal."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._traces = _Traces()
        self._shared: dict[tuple[int, str, type], SharedTrace] = {}
        self._calls: dict[tuple[int, str, type], int] = {}

    def created(self, event: Event, concrete: Any) -> None:
        found = internals.literals(concrete.function_type)
        if found:
            self._traces.add(concrete, (event["number"], found))

    def hit(self, concrete: Any, function_type: Any) -> None:
        """A call found its trace."""
        record = self._traces.get(concrete)
        if record is not None:
            for path, value in internals.literals(function_type).items():
                traced = record[1].get(path)
                if type(traced) is not type(value) and traced == value:
                    self._count(record[0], path, traced, value)

    def _count(self, trace: int, path: str, traced: Any, value: Any) -> None:
        key = (trace, path, type(value))
        if key not in self._shared:
            if len(self._shared) >= MOST_SHARED:
                return
            self._shared[key] = SharedTrace(
                trace=trace,
                name=path,
                then=Value(kind="value", type=type(traced).__name__, text=short_repr(traced)),
                now=Value(kind="value", type=type(value).__name__, text=short_repr(value)),
                chain=call_site(internals.stack()),
            )
            self._calls[key] = 0
        self._calls[key] += 1
        if self._calls[key] == 1:
            self._emit(dataclasses.replace(self._shared[key], calls=1))

    def closing(self) -> Iterator[SharedTrace]:
        for key, event in list(self._shared.items()):
            if self._calls[key] > 1:
                yield dataclasses.replace(event, calls=self._calls[key])


def listen_to_all_calls(emit: Emit, skipped: SkippedLines) -> list[Probe]:
    """The probes of `--calls`, already listening."""
    stale, shared = ExactStaleValues(emit, skipped), SharedTraces(emit)
    return [stale, shared, _Hook([stale.hit, shared.hit], emit)]


class _Hook(Probe):
    """Stands on the path of every call while somebody listens."""

    def __init__(self, listeners: list[Callable[[Any, Any], None]], emit: Emit) -> None:
        self._listeners = listeners
        self._emit = emit
        self._faults = itertools.count(1)
        self._undo: Callable[[], None] | None = None
        self.resumed()

    def resumed(self) -> None:
        if self._undo is None:
            self._undo = internals.hook_hits(self._hit)

    def paused(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def _hit(self, concrete: Any, function_type: Any) -> None:
        try:
            for heard in self._listeners:
                heard(concrete, function_type)
        except Exception as error:
            if next(self._faults) == 1:
                message = f"--calls: {type(error).__name__}: {error}"
                self._emit(Problem(message=message[:500]))
