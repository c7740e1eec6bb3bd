"""What the graphs of `fit` wait for input: measured in short windows of TensorFlow's own profiler."""

from collections.abc import Callable
from typing import Any

from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.observer.timing.classify import Line
from graphdoctor.observer.timing.clocks import Clocks
from graphdoctor.observer.timing.steps import chain_of_line
from graphdoctor.recording.format import GRAPH_EXECUTION, INPUT, OBSERVER, Phase

# Steps have run for so long before a window opens, which lasts so long, and so many steps.
SETTLED, LENGTH, LEAST_STEPS = 0.3, 0.8, 4
# The next window comes when the run is so many times as old.
LATER = 4.0


class ProfileWindow:
    """Opens and closes a window between two steps of `fit`, in the thread that takes them."""

    def __init__(
        self,
        clocks: Clocks,
        zero: float,
        graph_seconds: Callable[[], float],
        emit: Callable[[Any], None],
        missing: Callable[[str], None],
    ) -> None:
        self._clocks, self._clock, self._zero = clocks, clocks.clock, zero
        self._graph_seconds = graph_seconds
        self._emit, self._missing = emit, missing
        self._session: Any = None
        self._due: float | None = None
        self._opened = self._graph = 0.0
        self._steps = 0
        self._line: Line | None = None

    def stepped(self, line: Line | None, now: float) -> None:
        """A step of the line is over."""
        if line != self._line or self._due is None:
            self.abandon()
            self._line, self._due = line, now + SETTLED
        elif self._session is not None:
            self._steps += 1
            if now - self._opened >= LENGTH and self._steps >= LEAST_STEPS:
                self._close(now)
        elif now >= self._due:
            self._open(now)

    def _open(self, now: float) -> None:
        self._clocks.enter(OBSERVER)
        try:
            self._session = internals.start_profile()
        except Exception as error:  # the program profiles itself, or this TensorFlow has no such thing
            self._missing(f"what `fit` waited for input could not be measured ({type(error).__name__})")
            self._due = float("inf")
            return
        finally:
            self._clocks.leave()
        self._opened, self._steps = self._clock(), 0
        self._graph = self._graph_seconds()

    def _close(self, now: float) -> None:
        session, self._session = self._session, None
        looked_at = self._graph_seconds() - self._graph
        self._clocks.enter(OBSERVER)  # a graph of many operations leaves a long profile
        try:
            seconds, _ = internals.input_seconds(session.stop())
        finally:
            self._clocks.leave()
        self._due = now + LATER * max(now - self._zero, 1.0)
        if looked_at > 0:
            self._emit(
                Phase(
                    phase=INPUT,
                    of=GRAPH_EXECUTION,
                    seconds=round(min(seconds, looked_at), 6),
                    looked_at=round(looked_at, 6),
                    chain=chain_of_line(self._line),
                    start=round(self._opened - self._zero, 6),
                    span=round(now - self._opened, 6),
                )
            )

    def pause(self, now: float) -> None:
        """The steps stop for a while, as between epochs: what was looked at counts, if it is enough."""
        if self._session is not None and self._steps >= LEAST_STEPS:
            self._close(now)
        else:
            self.abandon()

    def abandon(self) -> None:
        """Close a window unread: the steps are over, or the program wants to profile itself."""
        session, self._session = self._session, None
        if session is not None:
            self._clocks.enter(OBSERVER)
            try:
                session.stop()
            finally:
                self._clocks.leave()
