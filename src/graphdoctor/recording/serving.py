"""How many calls each graph served, and which models were used again and again."""

from collections import defaultdict
from collections.abc import Sequence

from graphdoctor.recording.format import Trace
from graphdoctor.recording.grouping import Group

USED_AGAIN = 5  # so many calls of one graph are no longer one graph for each call

Served = dict[tuple[int, tuple[int, ...]], int]


def served_calls(traces: Sequence[Trace], calls: int | None) -> Served:
    """How many eager calls each Function object served, by the models among its arguments.

    A call is taken to be for what was traced last: nobody looks at those that find their trace.
    """
    served: Served = defaultdict(int)
    counted = [trace for trace in traces if trace.calls is not None and not trace.trace]
    ends = [*(trace.calls for trace in counted[1:]), calls]
    for trace, end in zip(counted, ends, strict=True) if counted and calls is not None else ():
        served[trace.object, _owners(trace)] += (end or 0) - (trace.calls or 0)
    return served


def _owners(trace: Trace) -> tuple[int, ...]:
    """The models, layers and modules among the arguments."""
    return tuple(argument.identity for argument in trace.arguments if argument.variables)


def used_owners(groups: dict[Group, list[Trace]], calls: dict[tuple[str, int], int]) -> frozenset[int]:
    """The models that were given to some function again and again."""
    return frozenset(
        owner
        for group, traces in groups.items()
        for (_, owners), served in served_calls(
            traces, calls.get((group.function.path, group.function.line))
        ).items()
        for owner in owners
        if served >= USED_AGAIN
    )
