"""What rules read: the events of all recordings, joined over processes, runs and dry runs, and indexed."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, TypeVar

from graphdoctor.model import FunctionRef, Span
from graphdoctor.recording.failing import Failed, what_failed
from graphdoctor.recording.format import Definition, Event, Failure, Frame, Looked, Place
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.history import History, explained
from graphdoctor.recording.joining import process_of, renumbered, with_reasons
from graphdoctor.recording.places import span_of
from graphdoctor.recording.recording import Recording
from graphdoctor.recording.selection import Selection
from graphdoctor.recording.static_and_runtime import joined_events, joined_histories
from graphdoctor.recording.time_account import account_for_time
from graphdoctor.recording.training_time import Training, training_of
from graphdoctor.source.sites import Sources

Kind = TypeVar("Kind", bound=Event)


class Facts:
    """All that recordings hold. A rule asks by kind, and does not know whether a run or the dry run wrote it.

    `sources` are the texts of the program, for the exact span of what a run knows by its line only; they
    may be empty.
    """

    def __init__(
        self,
        recordings: Sequence[Recording],
        sources: Sources | None = None,
        selection: Selection | None = None,
    ) -> None:
        runs_first = sorted(recordings, key=lambda recording: recording.is_dry)
        self.recordings = tuple(renumbered(one, index) for index, one in enumerate(runs_first))
        self.sources = sources if sources is not None else Sources()
        self._selection = selection or Selection()
        self._events: dict[type[Event], tuple[Any, ...]] = {}

    def joined_with(self, dry: Sequence[Recording]) -> "Facts":
        """These facts and those of dry runs; what was explained here is not explained again."""
        if not dry:
            return self
        joined = Facts((), self.sources, self._selection)
        known = len(self.recordings)
        added = (renumbered(one, known + index) for index, one in enumerate(dry))
        joined.recordings = (*with_reasons(self.recordings, dry), *added)
        joined._seen_histories = self._seen_histories
        return joined

    @property
    def runs(self) -> tuple[Recording, ...]:
        """The recordings of processes that really ran."""
        return tuple(recording for recording in self.recordings if not recording.is_dry)

    @functools.cached_property
    def training(self) -> Training | None:
        """What the training steps of the run were made of, where its time was accounted for."""
        return training_of(account_for_time(self.runs[0])) if self.runs else None

    @functools.cached_property
    def histories(self) -> tuple[History, ...]:
        """One per function: its traces, and why it was traced again; the costliest first."""
        dry = [recording for recording in self.recordings if recording.is_dry]
        return self._selection.apply(joined_histories(self._seen_histories, dry))

    @functools.cached_property
    def _seen_histories(self) -> tuple[History, ...]:
        return explained(self.runs)

    @functools.cached_property
    def _history_by_trace(self) -> dict[int, History]:
        return {trace.number: history for history in self.histories for trace in history.all_traces}

    @functools.cached_property
    def explained(self) -> frozenset[int]:
        """The numbers of the traces that a rule has something to say of, whether it is selected or not.

        What a library traces at a line of the user's is explained by what is said of that line.
        """
        from graphdoctor.rules.registry import all_rules

        found = [f for rule in all_rules() if not rule.judges_the_rest for f in rule.findings(self)]
        of_keras = {(f.path, f.line) for f in found}
        of_libraries = {(f.path, f.line) for f in found if not (f.observed and f.observed.explains)}
        places = {Origin.KERAS: of_keras, Origin.LIBRARY: of_libraries}
        led_to = (
            retrace.trace.number
            for history in self.histories
            if (history.function.path, history.function.line) in places.get(history.origin, ())
            for retrace in history.retraces
        )
        numbers = (number for f in found if f.observed for number in f.observed.explains)
        return frozenset((*numbers, *led_to))

    def of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """The events of one kind in order, those of a run and a dry run once, as seen and predicted."""
        if kind not in self._events:
            self._events[kind] = joined_events(self.recordings, kind, self._selection.covers)
        return self._events[kind]

    @functools.cached_property
    def traced(self) -> frozenset[Definition]:
        """The functions that ran while something was traced."""
        looked = {one.function for dry in self.recordings for one in dry.of(Looked) if one.traced}
        roots = {trace.number: trace.function for one in self.recordings for trace in one.traces}
        events = (event for one in self.recordings for event in one.events if isinstance(event, Event))
        on_the_way = {
            frame.definition
            for event in events
            if event.trace
            for frame in _while_tracing(event, roots.get(event.trace))
            if frame.definition
        }
        return frozenset(looked | set(roots.values()) | on_the_way)

    @functools.cached_property
    def failures(self) -> tuple[Failed, ...]:
        """What failed, each once, where it began."""
        traces = (trace for recording in self.recordings for trace in recording.traces)
        return tuple(what_failed(map(self.judged_by_its_end, self.of(Failure)), traces))

    def judged_by_its_end(self, failure: Failure) -> Failure:
        """The failure as caught, when its program came to its end, and nothing of it ended by it."""
        recording = self.recordings[process_of(failure.trace)]
        fatal = any(failure.text == death.text for run in self.runs for death in run.deaths)
        survived = recording.end is not None and not fatal and not recording.is_dry
        return dataclasses.replace(failure, caught=True) if survived else failure

    def history_of(self, event: Event) -> History | None:
        """The history of the function that was being traced when an event happened."""
        return self._history_by_trace.get(event.trace)

    def function_of(self, event: Event) -> FunctionRef | None:
        """The function that was being traced when an event happened."""
        history = self.history_of(event)
        return history.function if history else None

    def text(self, place: Place | None) -> str:
        """What the source says there; empty where it is not at hand."""
        found = self.sources.node(span_of(place)) if place is not None and place.column else None
        return found[0].source_of(found[1]) if found else ""

    def span(self, place: Place) -> Span:
        """The exact span; for a place known by its line, the text of that line as far as it is at hand."""
        return span_of(place) if place.column else self.sources.line(place.path, place.line)


def _while_tracing(event: Event, root: Definition | None) -> tuple[Frame, ...]:
    """The frames of an event from the traced function on: who calls that one is not traced."""
    for index, frame in enumerate(event.chain):
        if frame.definition == root:
            return event.chain[index:]
        if frame.entered:
            return event.chain[index + 1 :]
    return event.chain[-1:]
