"""Which functions of a run are reported, and which of their traces count."""

import fnmatch
import os
from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from graphdoctor.recording.history import History, Retrace
from graphdoctor.recording.joining import process_of

WARM_UP = "part of the warm-up"


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """`include` and `exclude` are globs of the files that functions stand in; empty `include` is all.

    The first `warmup` traces of each function do not count against it.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    warmup: int = 0

    def apply(self, reported: Iterable[History]) -> tuple[History, ...]:
        """The histories to judge, with retraces of the warm-up labelled benign."""
        return tuple(self._warmed_up(history) for history in reported if self.covers(history.function.path))

    def covers(self, path: str) -> bool:
        """Whether functions of this file are reported."""
        included = not self.include or _matches(path, self.include)
        return included and not _matches(path, self.exclude)

    def _warmed_up(self, history: History) -> History:
        if self.warmup == 0:
            return history
        seen: Counter[int] = Counter()
        early = set()
        for trace in history.traces:
            seen[process_of(trace)] += 1
            if seen[process_of(trace)] <= self.warmup:
                early.add(trace.number)

        def labelled(retrace: Retrace) -> Retrace:
            if retrace.label is None and retrace.trace.number in early:
                return replace(retrace, label=WARM_UP)
            return retrace

        return replace(history, retraces=tuple(map(labelled, history.retraces)))


def _names_installed(path: str, pattern: str) -> bool:
    """Whether a pattern names an installed file as its package does: `trainer`, `trainer/*`."""
    inside = path.rpartition("-packages/")[2]
    return fnmatch.fnmatch(inside, pattern) or inside.startswith(pattern.rstrip("/") + "/")


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    return any(
        fnmatch.fnmatch(path, pattern)
        or _names_installed(path, pattern)
        or fnmatch.fnmatch(os.path.basename(path), pattern)
        or path.startswith(pattern.rstrip("/") + "/")
        for pattern in patterns
    )
