"""Counts the steps that the lines of a program take, and what each takes."""

import sys
import types
from array import array
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.timing.classify import Line
from graphdoctor.observer.user_code.callsite import WRAPPERS
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import Frame, Place, Steps

MOST_KEPT = 50_000
MOST_SHOWN = 400
MOST_LINES = 100
LATE = 0.95
LOOPS = ("dataset", "tape", "train_on_batch")


class Series:
    """The steps of one line: each lasts until the next one begins, or until it is said to end."""

    def __init__(self, kind: str, line: Line | None) -> None:
        self.kind, self.line = kind, line
        self.count, self.seconds = 0, 0.0
        self.first = self.begun = self.ended = 0.0
        self.per_execution = 1
        self.reported = 0
        self._since: float | None = None
        self._kept = array("d")

    def begin(self, now: float) -> None:
        """A step begins, and so ends the one before it."""
        self.end(now)
        self._since = now

    def end(self, now: float) -> None:
        """The step under way is over."""
        if self._since is not None:
            self.add(self._since, now)
        self._since = None

    def leave(self) -> None:
        """What is under way is no step."""
        self._since = None

    def add(self, begun: float, ended: float, count: int = 1) -> None:
        """So many steps took the time from a clock to another."""
        taken = (ended - begun) / count
        if not self.count:
            self.first, self.begun = taken, begun
        self.count += count
        self.seconds += ended - begun
        self.ended = ended
        if len(self._kept) < MOST_KEPT:
            self._kept.extend([taken] * min(count, MOST_KEPT - len(self._kept)))

    @property
    def taken(self) -> int:
        """How many steps began; Keras says when one is over, but no step follows the last one of a loop."""
        return self.count + (self.kind in LOOPS and self._since is not None)

    def event(self, zero: float) -> Steps:
        """What is known so far, with clocks from `zero` on."""
        self.reported = self.taken
        kept = list(self._kept)
        later = sorted(kept[1:] or kept)
        stride = -(-len(kept) // MOST_SHOWN)
        groups = [kept[at : at + stride] for at in range(0, len(kept), stride)]
        return Steps(
            kind=self.kind,
            chain=chain_of_line(self.line),
            count=self.taken,
            seconds=round(self.seconds, 6),
            first_seconds=round(self.first, 6),
            median_seconds=round(later[len(later) // 2], 6),
            late_seconds=round(later[min(len(later) - 1, int(LATE * len(later)))], 6),
            begun=round(self.begun - zero, 6),
            ended=round(self.ended - zero, 6),
            per_execution=self.per_execution,
            stride=stride,
            durations=tuple(round(sum(group) / len(group), 6) for group in groups),
        )


class StepCounter:
    """All series of a process, by kind and line."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._series: dict[tuple[Any, ...], Series] = {}

    def at(self, kind: str, frame: types.FrameType | None, entered: str = "") -> Series | None:
        """The series of the user's line that a frame, or one of its callers, is at."""
        return self.of(kind, self.line_of(frame, entered))

    @staticmethod
    def line_of(frame: types.FrameType | None, entered: str = "") -> Line | None:
        """The user's line that a frame, or one of its callers, is at; with the library function it called."""
        while frame is not None and is_library(frame.f_code.co_filename):
            name, frame = frame.f_code.co_name, frame.f_back
            entered = entered if name in WRAPPERS else name
        if frame is None:
            return None
        return Line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, entered)

    def of(self, kind: str, line: Line | None) -> Series | None:
        """The series of a line; None where there are too many."""
        key = (kind, line)
        found = self._series.get(key)
        if found is None and len(self._series) < MOST_LINES:
            found = self._series[key] = Series(kind, line)
        return found

    def step(self, kind: str, depth: int = 2) -> Series | None:
        """The user's line that called the caller begins a step."""
        series = self.at(kind, sys._getframe(depth))
        if series is not None:
            series.begin(self.clock())
        return series

    @property
    def total(self) -> int:
        """All steps so far."""
        return sum(series.count for series in list(self._series.values()))

    def events(self, zero: float) -> Iterator[Steps]:
        """Of each series that took more steps since it was last reported."""
        for series in list(self._series.values()):
            if series.taken > series.reported and series.count:
                yield series.event(zero)


def chain_of_line(line: Line | None) -> tuple[Frame, ...]:
    """A line of the user's as the chain of an event."""
    if line is None:
        return ()
    place = Place(path=line.path, line=line.line)
    return (Frame(function=line.function, place=place, entered=line.entered),)
