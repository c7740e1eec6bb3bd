"""The memory of a run as a drawing: what each process held after each of its traces."""

import msgspec

from graphdoctor.model import Report, TraceFact

WIDTH, HEIGHT = 1000, 160
MOST_POINTS = 400


class Curve(msgspec.Struct, frozen=True):
    """One process: the points of its curve, and what it held after its first, last and worst trace."""

    name: str
    points: str
    first_bytes: int
    last_bytes: int
    most_bytes: int


def memory_curves(report: Report) -> tuple[Curve, ...]:
    """One curve for each process with several measurements."""
    if report.details is None or report.run is None:
        return ()
    reported: dict[int, list[TraceFact]] = {}
    for trace in report.details.traces:
        if trace.resident_bytes:
            reported.setdefault(trace.process, []).append(trace)
    curves = {process: traces for process, traces in reported.items() if len(traces) > 1}
    most = max((trace.resident_bytes for traces in curves.values() for trace in traces), default=0)
    end = max((trace.start + trace.seconds for traces in curves.values() for trace in traces), default=0.0)
    seconds = max(report.run.seconds, end) or 1.0
    return tuple(
        _curve(report.details.processes[process], traces, most, seconds) for process, traces in curves.items()
    )


def _curve(name: str, traces: list[TraceFact], most: int, seconds: float) -> Curve:
    every = -(-len(traces) // MOST_POINTS)
    points = [*traces[::every], traces[-1]]
    return Curve(
        name=name,
        points=" ".join(
            f"{WIDTH * (trace.start + trace.seconds) / seconds:.1f},"
            f"{HEIGHT * (1 - trace.resident_bytes / most):.1f}"
            for trace in points
        ),
        first_bytes=traces[0].resident_bytes,
        last_bytes=traces[-1].resident_bytes,
        most_bytes=max(trace.resident_bytes for trace in traces),
    )
