"""Every second of tracing and compiling → a first trace, a finding, what is benign, or unexplained."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from graphdoctor.model import Account, Change
from graphdoctor.recording.format import Definition, Trace
from graphdoctor.recording.grouping import Origin
from graphdoctor.recording.history import CALLS_AFTER, FEW_RETRACES, FEW_SHAPES, History, Retrace
from graphdoctor.recording.labels import IN_TOTAL, OUTER_TRACED_AGAIN, PER_INSTANCE

# TensorFlow itself warns when so many of so many calls in a row were traced.
WARNED_TRACES, WARNED_CALLS = 5, 10


def unexplained(
    reported: Sequence[History], explained: AbstractSet[int]
) -> list[tuple[History, tuple[Retrace, ...]]]:
    """The retraces of each function that no finding explains, and no label that holds in total.

    `explained` are the numbers of those that findings explain. A function that was traced again because
    the one around it was belongs to that one's reason.
    """
    open_to_question = {r.trace.number for history in reported for r in _in_question(history, explained)}
    left = [(h, tuple(r for r in h.retraces if _is_open(r, open_to_question))) for h in reported]
    return [(history, retraces) for history, retraces in left if retraces]


def _in_question(history: History, explained: AbstractSet[int]) -> Iterator[Retrace]:
    """Those without a good reason of their own; each function that a library traces at one line by itself."""
    by_reason: dict[tuple[str | None, Definition | None], list[Retrace]] = defaultdict(list)
    for retrace in history.retraces:
        if retrace.trace.failed is None and retrace.trace.number not in explained:
            traced = retrace.trace.function if history.origin is Origin.LIBRARY else None
            by_reason[retrace.label, traced].append(retrace)
    for (label, _), retraces in by_reason.items():
        if label is None:
            holds = history.has_settled
        else:
            holds = label not in IN_TOTAL or len(retraces) <= FEW_RETRACES
        if label == PER_INSTANCE and not history.are_mostly_gone(retraces):
            holds = True  # each object that lives on needs a graph
        if all(map(_is_of_another_object, retraces)) and history.each_served_many:
            holds = True  # as each of those does that are tried one after the other
        if not holds and not _served_many(history, retraces):
            yield from retraces


def _is_of_another_object(retrace: Retrace) -> bool:
    return any(each.change is Change.NEW_FUNCTION_OBJECT for each in retrace.differences)


def _is_open(retrace: Retrace, open_to_question: AbstractSet[int]) -> bool:
    trace = retrace.trace
    return (trace.trace if retrace.label == OUTER_TRACED_AGAIN else trace.number) in open_to_question


def _served_many(history: History, retraces: Sequence[Retrace]) -> bool:
    """Graphs that were made early, and then served many calls."""
    last = max(retraces, key=lambda retrace: retrace.trace.number).trace
    if last.calls is None or history.calls is None or history.processes > 1:
        return False
    return history.calls - (last.calls + 1) >= CALLS_AFTER * (last.calls + 1)


def is_warned_of(history: History) -> bool:
    """Whether TensorFlow itself warns that this function's calls are traced too often; in one test alone."""
    traced: dict[str, set[int]] = defaultdict(set)
    for trace in history.traces:
        if trace.calls is not None and not trace.trace:
            traced[trace.during].add(trace.calls)
    for calls in map(sorted, traced.values()):
        windows = zip(calls, calls[WARNED_TRACES - 1 :], strict=False)
        if any(last - first <= WARNED_CALLS for first, last in windows):
            return True
    return False


def account(traces: Iterable[Trace], reported: Sequence[History], explained: AbstractSet[int]) -> Account:
    """Where the seconds of all traces went, and those of what XLA compiled."""
    left = {r.trace.number for _, retraces in unexplained(reported, explained) for r in retraces}
    again = {retrace.trace.number for history in reported for retrace in history.retraces}
    seconds: dict[str, float] = defaultdict(float)
    for trace in traces:
        number = trace.number
        to = "found" if number in explained else "unexplained" if number in left else "benign"
        seconds[to if number in again or number in explained else "first"] += trace.own_seconds
    for history in reported:
        seconds["first" if len(history.compilations) <= FEW_SHAPES else "found"] += history.compiling_seconds
    return Account(
        first_seconds=round(seconds["first"], 6),
        found_seconds=round(seconds["found"], 6),
        benign_seconds=round(seconds["benign"], 6),
        unexplained_seconds=round(seconds["unexplained"], 6),
    )
