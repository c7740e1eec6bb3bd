"""Recordings of several processes → how long each traced alone, and what else held up the others."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from graphdoctor.model import HeldUp, ProcessSummary
from graphdoctor.model.time_account import PhaseLine
from graphdoctor.recording.format import COMPILING, INPUT, TRACING, Place, Trace
from graphdoctor.recording.grouping import is_counted
from graphdoctor.recording.recording import Recording
from graphdoctor.recording.time_account import account_for_time

LEAST_HELD_UP = 0.05  # seconds; less is within what processes of one program differ by
Tracing = tuple[float, float, Trace]


def summarise_processes(recordings: Sequence[Recording]) -> tuple[ProcessSummary, ...]:
    """Each process, the one that traced longest while no other did first."""
    alone = _alone(recordings)
    held_up = _held_up(recordings, alone)
    summaries = [
        ProcessSummary(
            process=recording.header.process,
            worker=recording.header.worker,
            seconds=round(recording.seconds, 6),
            traces=sum(map(is_counted, recording.traces)),
            tracing_seconds=round(sum(end - start for start, end, _ in _tracing(recording)), 6),
            alone_seconds=round(sum(alone[index].values()), 6),
            rank=recording.header.rank,
            host=recording.header.host,
            held_up=tuple(held_up[index]),
        )
        for index, recording in enumerate(recordings)
    ]
    return tuple(sorted(summaries, key=lambda summary: (-summary.alone_seconds, summary.process)))


def wall_seconds(recordings: Iterable[Recording]) -> float:
    """How long at least one of the processes ran."""
    spans = sorted((r.header.time, r.header.time + r.seconds) for r in recordings)
    total, until = 0.0, float("-inf")
    for start, end in spans:
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def _tracing(recording: Recording) -> Iterator[Tracing]:
    """When this process traced, by the clock on the wall; traces inside traces are part of them."""
    for trace in recording.traces:
        if not trace.trace:
            start = recording.header.time + trace.start
            yield start, start + trace.seconds, trace


def _alone(recordings: Sequence[Recording]) -> dict[int, dict[int, float]]:
    """The seconds in which one process traced and no other did: by the number of the recording, and of its
    trace under way."""
    turns = sorted(
        iteration
        for index, recording in enumerate(recordings)
        for number, (start, end, _) in enumerate(_tracing(recording))
        for iteration in ((start, 1, index, number), (end, -1, index, number))
    )
    alone: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    running: dict[int, list[int]] = defaultdict(list)
    before = 0.0
    for time, change, index, number in turns:
        tracing = [process for process, under_way in running.items() if under_way]
        if len(tracing) == 1:
            alone[tracing[0]][running[tracing[0]][-1]] += time - before
        if change > 0:
            running[index].append(number)
        else:
            running[index].remove(number)
        before = time
    return alone


def _held_up(recordings: Sequence[Recording], alone: dict[int, dict[int, float]]) -> dict[int, list[HeldUp]]:
    """What each process did that the others waited for, the longest first."""
    found: dict[int, list[HeldUp]] = {index: [] for index in range(len(recordings))}
    for index, recording in enumerate(recordings):
        traces = [trace for *_, trace in _tracing(recording)]
        seconds: dict[tuple[str, str, int], float] = defaultdict(float)
        for number, taken in alone[index].items():
            function = traces[number].function
            seconds[function.name, function.path, function.line] += taken
        found[index] += [
            HeldUp(kind=TRACING, seconds=round(taken, 6), name=name, path=path, line=line)
            for (name, path, line), taken in seconds.items()
        ]
    for index, held in (*_compiled_more(recordings), *_waited_longer(recordings, found)):
        found[index].append(held)
    return {
        index: sorted((one for one in held if one.seconds >= LEAST_HELD_UP), key=lambda one: -one.seconds)
        for index, held in found.items()
    }


def _compiled_more(recordings: Sequence[Recording]) -> Iterator[tuple[int, HeldUp]]:
    """The process for which XLA compiled more often than for any other, with the seconds that this took more.

    The first call of a graph that all compile may wait for the others in it: that alone says nothing.
    """
    shapes = [[one for each in recording.compilations for one in each.shapes] for recording in recordings]
    first, second, *_ = sorted(range(len(shapes)), key=lambda index: -len(shapes[index]))
    spent = [sum(max(0.0, one.first_seconds - one.best_seconds) for one in each) for each in shapes]
    if len(shapes[first]) > len(shapes[second]):
        place = recordings[first].compilations[-1].place
        yield first, _held(COMPILING, spent[first] - spent[second], place)


def _waited_longer(
    recordings: Sequence[Recording], known: dict[int, list[HeldUp]]
) -> Iterator[tuple[int, HeldUp]]:
    """The process that waited for input longer than any other, beyond what the others are known to have done.

    To ask for the next batch may be a step of all together: then it waits for what another one does.
    """
    accounts = [account_for_time(recording) for recording in recordings]
    if None in accounts:  # of one of them nothing is known
        return
    phases = [next((one for one in each.phases if one.phase == INPUT), None) for each in accounts if each]
    spent = [phase.seconds if phase is not None else 0.0 for phase in phases]
    first, second, *_ = sorted(range(len(spent)), key=lambda index: -spent[index])
    others = sum(one.seconds for index, held in known.items() if index != first for one in held)
    phase = phases[first]
    line = max(phase.lines, key=lambda one: one.seconds, default=None) if phase is not None else None
    yield first, _held(INPUT, spent[first] - spent[second] - others, line)


def _held(kind: str, seconds: float, place: Place | PhaseLine | None) -> HeldUp:
    where = (place.path, place.line) if place is not None else ("", 0)
    return HeldUp(kind=kind, seconds=round(max(0.0, seconds), 6), path=where[0], line=where[1])
