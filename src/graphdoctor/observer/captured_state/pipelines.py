"""Pipelines that go on with a value that a function given to `map` and the like read when it was traced."""

from collections.abc import Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.captured_state.captures import Captures, captures_of, steady
from graphdoctor.observer.captured_state.watched_captures import Key, Watched
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.branches import SkippedLines
from graphdoctor.observer.user_code.reached_functions import reach_of
from graphdoctor.recording.format import Problem, Stale

MOST_FUNCTIONS = 500


class StalePipelines(Probe):
    """Looks whether what was captured still holds, each time that somebody begins to go through a dataset."""

    def __init__(self, emit: Emit, skipped: SkippedLines) -> None:
        self._emit = emit
        self._skipped = skipped
        self._begun: dict[int, tuple[Captures, dict[Key, Any]]] = {}
        self._watched: dict[str, Watched] = {}
        self._undo: Any = None
        self._faults = 0

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if event.get("origin") != "dataset":
            return
        captures, values = captures_of(reach_of(event, function))
        if values:
            self._begun[event["number"]] = captures, values

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        if error is not None:
            self._begun.pop(event["number"], None)

    def created(self, event: Event, concrete: Any) -> None:
        captures, values = self._begun.pop(event["number"], ({}, {}))
        captures, values = steady(captures, values, self._skipped.lines)
        if not values or len(self._watched) >= MOST_FUNCTIONS:
            return
        if self._undo is None:
            self._undo = internals.hook_iterators(self._gone_through)
        watched = self._watched[internals.name_of(concrete)] = Watched(event["object"], event["function"])
        watched.add(event["number"], captures, values)

    def paused(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def closing(self) -> Iterator[Stale]:
        for watched in self._watched.values():
            yield from watched.untold()

    def _gone_through(self, iterator: Any, begun: Any) -> None:
        try:
            for name in internals.functions_of_pipeline(iterator):
                watched = self._watched.get(name)
                for key, value in watched.changed() if watched is not None else ():
                    if watched is not None and watched.count(key, value, 1).worth_telling:
                        self._emit(watched.tell(key))
        except Exception as error:
            self._faults += 1
            if self._faults == 1:
                self._emit(Problem(message=describe_fault(self._gone_through, error)))
