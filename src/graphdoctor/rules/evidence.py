"""What rules over a recording share: adding up retraces, and finding the place to point at."""

from collections import Counter

from graphdoctor.model import Change, Difference, Observed, Span
from graphdoctor.model.span import whole_line
from graphdoctor.recording import History, Retrace
from graphdoctor.recording.history import values_before
from graphdoctor.source.sites import Sources


def observed(retraces: list[Retrace], argument: str | None, change: Change) -> Observed:
    """The figures of some retraces, with one summed-up difference per axis of the argument at fault."""
    proofs = {retrace.needless for retrace in retraces}
    return Observed(
        traces=len(retraces),
        seconds=round(sum(retrace.trace.own_seconds for retrace in retraces), 6),
        differences=tuple(_summed_up(retraces, argument, change)),
        needless=proofs.pop() if len(proofs) == 1 else None if None in proofs else False,
    )


def _summed_up(retraces: list[Retrace], argument: str | None, change: Change) -> list[Difference]:
    by_axis: dict[int | None, list[Difference]] = {}
    for retrace in retraces:
        for difference in retrace.differences:
            if (difference.argument, difference.change) == (argument, change):
                by_axis.setdefault(difference.axis, []).append(difference)
    return [
        Difference(
            argument=argument,
            change=change,
            before=values_before(group),
            now=group[-1].now,
            axis=axis,
        )
        for axis, group in by_axis.items()
    ]


def place(history: History, retraces: list[Retrace], argument: str | None, sources: Sources) -> Span:
    """Where to look: the argument in the call that retraced most often, else that line, else the function."""
    sites = Counter(
        (retrace.trace.site.path, retrace.trace.site.line)
        for retrace in retraces
        if retrace.trace.site is not None
    )
    if not sites:
        return whole_line(history.function.path, history.function.line)
    (path, line), _ = sites.most_common(1)[0]
    found = sources.argument(path, line, history.function, argument) if argument else None
    return found[0].span(found[1]) if found else whole_line(path, line)


def times(count: int) -> str:
    """`once more`, `4 more times`."""
    return "once more" if count == 1 else f"{count} more times"
