"""Recordings of several processes → how long each traced, and how long it alone did."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from graphdoctor.model import ProcessSummary
from graphdoctor.recording.recording import Recording


def summarise_processes(recordings: Sequence[Recording]) -> tuple[ProcessSummary, ...]:
    """Each process, the one that traced longest while no other did first."""
    alone = _alone(recordings)
    summaries = [
        ProcessSummary(
            process=recording.header.process,
            worker=recording.header.worker,
            seconds=round(recording.seconds, 6),
            traces=len(recording.traces),
            tracing_seconds=round(sum(end - start for start, end in _tracing(recording)), 6),
            alone_seconds=round(alone[index], 6),
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


def _tracing(recording: Recording) -> Iterator[tuple[float, float]]:
    """When this process traced, by the clock on the wall; traces inside traces are part of them."""
    for trace in recording.traces:
        if not trace.trace:
            start = recording.header.time + trace.start
            yield start, start + trace.seconds


def _alone(recordings: Sequence[Recording]) -> dict[int, float]:
    """The seconds in which one process traced and no other did, by the number of the recording."""
    turns = sorted(
        turn
        for index, recording in enumerate(recordings)
        for start, end in _tracing(recording)
        for turn in ((start, 1, index), (end, -1, index))
    )
    alone: dict[int, float] = defaultdict(float)
    running: dict[int, int] = defaultdict(int)
    before = 0.0
    for time, change, index in turns:
        tracing = [process for process, count in running.items() if count]
        if len(tracing) == 1:
            alone[tracing[0]] += time - before
        running[index] += change
        before = time
    return alone
