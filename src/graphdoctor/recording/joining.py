"""Several processes → one numbering, and one history per function."""

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from graphdoctor.recording.format import MUST, AnyEvent, Gradient, Trace
from graphdoctor.recording.history import History
from graphdoctor.recording.recording import Recording

# Each process counts its traces and objects from 1; this keeps them apart.
STRIDE = 1 << 40
NUMBERS = ("number", "trace", "object", "model")
LISTS_OF_NUMBERS = ("dead_objects", "dead_functions", "definition", "on")


def process_of(trace: Trace | int) -> int:
    """Which of the joined processes a trace, or the one of this number, happened in."""
    return (trace if isinstance(trace, int) else trace.number) // STRIDE


def renumbered(recording: Recording, index: int) -> Recording:
    """The recording with numbers that no other one of them uses; 0 stays 0: it means unknown."""
    if index == 0:
        return recording
    events = tuple(_renumbered(event, index * STRIDE) for event in recording.events)
    return dataclasses.replace(recording, events=events)


def with_reasons(runs: Sequence[Recording], dry: Sequence[Recording]) -> tuple[Recording, ...]:
    """The runs, with the reasons of lost gradients that only the source shows.

    NumPy takes the values of an eager tensor without TensorFlow's knowing: to a run it looks as if none of
    the sources took part.
    """
    left = {
        (event.place.path, event.place.line): event
        for recording in dry
        for event in recording.of(Gradient)
        if event.reason == "left" and event.reached == MUST and event.place is not None
    }
    if not left:
        return tuple(runs)
    return tuple(
        dataclasses.replace(run, events=tuple(_with_reason(event, left) for event in run.events))
        for run in runs
    )


def _with_reason(event: AnyEvent, left: Mapping[tuple[str, int], Gradient]) -> AnyEvent:
    if not isinstance(event, Gradient) or event.reason != "unused" or event.place is None:
        return event
    known = left.get((event.place.path, event.place.line))
    if known is None or len(event.sources) < event.asked:
        return event
    return dataclasses.replace(
        event,
        reason=known.reason,
        broken=known.broken,
        operation=known.operation,
        detail=known.detail,
        foretold=True,
    )


def _renumbered(event: AnyEvent, base: int) -> AnyEvent:
    def moved(number: int) -> int:
        return base + number if number else 0

    changes: dict[str, Any] = {}
    for name in NUMBERS:
        number = getattr(event, name, 0)
        if isinstance(number, int) and number:
            changes[name] = moved(number)
    for name in LISTS_OF_NUMBERS:
        numbers = getattr(event, name, ())
        if isinstance(numbers, tuple) and numbers:
            changes[name] = tuple(map(moved, numbers))
    if isinstance(event, Trace):
        changes["arguments"] = tuple(
            dataclasses.replace(a, identity=moved(a.identity)) if a.identity else a for a in event.arguments
        )
    return dataclasses.replace(event, **changes) if changes else event


def join(processes: Sequence[Sequence[History]]) -> list[History]:
    """The histories of each process, explained within it, joined by function."""
    if len(processes) == 1:
        return list(processes[0])
    groups: dict[object, list[History]] = defaultdict(list)
    for reported in processes:
        for history in reported:
            groups[history.function, history.origin].append(history)
    return [_joined(group) for group in groups.values()]


def _joined(group: list[History]) -> History:
    counted = [history.calls for history in group if history.calls is not None]
    return replace(
        group[0],
        traces=tuple(trace for history in group for trace in history.traces),
        retraces=tuple(retrace for history in group for retrace in history.retraces),
        calls=sum(counted) if counted else None,
        dead_objects=frozenset().union(*(history.dead_objects for history in group)),
        dead_functions=frozenset().union(*(history.dead_functions for history in group)),
        compilations=tuple(shape for history in group for shape in history.compilations),
    )
