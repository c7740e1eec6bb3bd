"""The timeline of a run as a trace that ui.perfetto.dev opens: phases with their lines, steps, and traces."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Report, RunDetails
from graphdoctor.model.time_account import StepTimes, TimeWindow
from graphdoctor.model.words import printable

PROCESS = 1
MICROSECONDS = 1_000_000
UNORDERED = "the order inside a window of samples is not known"
NO_PAUSES = "pauses between steps are not drawn"


class Slice(NamedTuple):
    """A stretch of a track, in microseconds."""

    start: int
    end: int
    name: str
    arguments: dict[str, Any]


def render_perfetto(report: Report) -> str:
    """The events in the JSON format of Chrome's traces; the slices of a track nest."""
    details = report.details
    if report.time is None or details is None:
        raise GraphdoctorError("a .perfetto.json file needs the account of time of a run")
    tracks = {"phases": list(_phases(details.windows)), "traces": list(_traces(report, details))}
    for steps in report.time.steps:
        where = f" {steps.path}:{steps.line}" if steps.path else ""
        tracks[f"steps: {steps.kind}{where}"] = list(_steps(steps))
    earliest = min((one.start for slices in tracks.values() for one in slices), default=0)
    events: list[dict[str, Any]] = [_metadata("process_name", 0, details.program or "run")]
    for number, (name, slices) in enumerate(tracks.items(), start=1):
        events.append(_metadata("thread_name", number, name))
        events += (_event(one, number, earliest) for one in nested(slices))
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}) + "\n"


def nested(slices: Iterable[Slice]) -> list[Slice]:
    """The slices in order; one that holds the begin of another lasts at least until its end."""
    ordered = sorted(slices, key=lambda one: (one.start, -one.end))
    ends = [one.end for one in ordered]
    under_way: list[int] = []
    for number, one in enumerate(ordered):
        while under_way and ends[under_way[-1]] <= one.start:
            under_way.pop()
        for outer in under_way:
            ends[outer] = max(ends[outer], one.end)
        under_way.append(number)
    return [one._replace(end=end) for one, end in zip(ordered, ends, strict=True)]


def _phases(windows: Iterable[TimeWindow]) -> Iterator[Slice]:
    """A slice per phase of a window, its lines inside it; together as long as the window."""
    for window in windows:
        total = sum(one.seconds for one in window.phases)
        scale = window.seconds / total if total > 0 else 0.0
        at = window.start
        for one in window.phases:
            end = at + one.seconds * scale
            arguments = {"seconds": one.seconds, "estimated": one.estimated, "order": UNORDERED}
            outer = Slice(_clock(at), _clock(end), one.phase, arguments)
            if outer.end > outer.start:
                yield outer
                yield from _lines(outer, at, scale, one.lines)
            at = end


def _lines(outer: Slice, at: float, scale: float, lines: Iterable[Any]) -> Iterator[Slice]:
    for line in lines:
        begin, at = at, at + line.seconds * scale
        inner = Slice(
            _clock(begin),
            min(_clock(at), outer.end),
            printable(f"{line.path}:{line.line}"),
            {"seconds": line.seconds, "entered": printable(line.entered)},
        )
        if inner.end > inner.start:
            yield inner


def _steps(steps: StepTimes) -> Iterator[Slice]:
    at, number = steps.begun, 1
    for seconds in steps.durations:
        many = min(steps.stride, steps.count - number + 1)
        begin, at = at, at + seconds * many
        name = f"step {number}" if many == 1 else f"steps {number} to {number + many - 1}"
        yield Slice(_clock(begin), _clock(at), name, {"seconds": seconds, "pauses": NO_PAUSES})
        number += many


def _traces(report: Report, details: RunDetails) -> Iterator[Slice]:
    for trace in details.traces:
        begin = details.accounted + trace.start
        function = report.functions[trace.function]
        arguments = {"called at": printable(f"{trace.path}:{trace.line}"), "operations": trace.operations}
        yield Slice(
            _clock(begin), _clock(begin + trace.seconds), printable(f"trace {function.name}"), arguments
        )


def _clock(seconds: float) -> int:
    return round(seconds * MICROSECONDS)


def _event(one: Slice, track: int, earliest: int) -> dict[str, Any]:
    return {
        "ph": "X",
        "pid": PROCESS,
        "tid": track,
        "ts": one.start - earliest,
        "dur": one.end - one.start,
        "name": one.name,
        "args": one.arguments,
    }


def _metadata(kind: str, track: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "pid": PROCESS, "tid": track, "name": kind, "args": {"name": printable(name)}}
