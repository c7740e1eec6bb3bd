"""What dry runs looked at → the coverage of a report."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from graphdoctor.model import Coverage, FunctionSummary, NotFollowed

if TYPE_CHECKING:
    from graphdoctor.recording import Recording


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """What became of one function in the dry run of one file; the cache keeps it.

    `irrelevant`: it was skipped because nothing in it can reach a graph.
    """

    path: str
    line: int
    name: str
    traced: bool
    role: str = ""
    skipped: str = ""
    traces: int = 0
    objects: int = 0
    irrelevant: bool = False

    @property
    def rank(self) -> int:
        """Traced says more than run, and that more than skipped."""
        return 3 if self.traced else 2 if not self.skipped else int(not self.irrelevant)


def seen_in(recording: "Recording") -> tuple[Seen, ...]:
    """What became of the functions that a dry run tells of."""
    from graphdoctor.recording.format import IRRELEVANT, Looked  # not where the cache knows it all

    traces: dict[object, list[int]] = {}
    for trace in recording.traces:
        traces.setdefault(trace.function, []).append(trace.object)
    return tuple(
        Seen(
            looked.function.path,
            looked.function.line,
            looked.function.name,
            looked.traced,
            looked.role,
            looked.skipped,
            len(traces.get(looked.function, ())),
            len(set(traces.get(looked.function, ()))),
            looked.skipped == IRRELEVANT,
        )
        for looked in recording.of(Looked)
    )


def reported_once(seen: Iterable[Seen], shown: set[str]) -> tuple[Seen, ...]:
    """Each function of the shown files once, as far as the dry run of any file came with it."""
    best: dict[tuple[str, int, str], Seen] = {}
    for one in seen:
        key = (one.path, one.line, one.name)
        if one.path in shown and (key not in best or _weight(one) > _weight(best[key])):
            best[key] = one
    return tuple(best[key] for key in sorted(best))


def _weight(seen: Seen) -> tuple[int, bool, int, int, str, str]:
    return seen.rank, not seen.skipped, seen.traces, seen.objects, seen.role, seen.skipped


def coverage_of(seen: Iterable[Seen]) -> Coverage:
    """The sums, and each function that was not followed."""
    all_seen = tuple(seen)
    traced = [one for one in all_seen if one.traced]
    return Coverage(
        graph_functions=len(traced),
        keras_methods=sum(one.role == "keras" for one in traced),
        dataset_functions=sum(one.role == "dataset" for one in traced),
        eager=sum(not one.traced and not one.skipped for one in all_seen),
        irrelevant=sum(one.irrelevant for one in all_seen),
        not_followed=tuple(
            NotFollowed(name=one.name, path=one.path, line=one.line, reason=one.skipped)
            for one in all_seen
            if one.skipped and not one.irrelevant
        ),
    )


def predicted_functions(seen: Iterable[Seen]) -> tuple[FunctionSummary, ...]:
    """The functions that TensorFlow would trace by themselves."""
    return tuple(
        FunctionSummary(
            name=one.name,
            path=one.path,
            line=one.line,
            objects=one.objects,
            calls=None,
            traces=one.traces,
            counted_traces=one.traces,
            retraces=0,
            seconds=0.0,
            operations=0,
            foretold=True,
        )
        for one in seen
        if one.traced and one.traces
    )
