"""Histories of several processes → one history per function."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from graphdoctor.recording.events import Trace
from graphdoctor.recording.history import History
from graphdoctor.recording.notes import Note, Stale

# Each process counts its traces and objects from 1; this keeps them apart.
STRIDE = 1 << 40


def process_of(trace: Trace) -> int:
    """Which of the joined processes a trace happened in, by number."""
    return trace.number // STRIDE


def join(processes: Sequence[Sequence[History]]) -> list[History]:
    """The histories of each process, explained within it, joined by function."""
    if len(processes) == 1:
        return list(processes[0])
    groups: dict[object, list[History]] = defaultdict(list)
    for index, told in enumerate(processes):
        for history in told:
            groups[history.function, history.origin].append(_renumbered(history, index * STRIDE))
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
        notes=tuple(note for history in group for note in history.notes),
    )


def _renumbered(history: History, base: int) -> History:
    """The history with numbers that no other process uses; 0 stays 0: it means unknown."""
    traces = {trace.number: _renumbered_trace(trace, base) for trace in history.traces}
    return replace(
        history,
        traces=tuple(traces.values()),
        retraces=tuple(
            replace(retrace, trace=traces[retrace.trace.number], closest=traces[retrace.closest.number])
            for retrace in history.retraces
        ),
        dead_objects=frozenset(base + number for number in history.dead_objects),
        dead_functions=frozenset(base + number for number in history.dead_functions),
        notes=tuple(_renumbered_note(note, base) for note in history.notes),
    )


def _renumbered_note(note: Note, base: int) -> Note:
    moved = replace(note, trace=base + note.trace)
    return replace(moved, object=base + moved.object) if isinstance(moved, Stale) else moved


def _renumbered_trace(trace: Trace, base: int) -> Trace:
    def moved(number: int) -> int:
        return base + number if number else 0

    return replace(
        trace,
        number=base + trace.number,
        parent=None if trace.parent is None else base + trace.parent,
        object=moved(trace.object),
        arguments=tuple(replace(a, identity=moved(a.identity)) for a in trace.arguments),
        dead_objects=tuple(map(moved, trace.dead_objects)),
        dead_functions=tuple(map(moved, trace.dead_functions)),
    )
