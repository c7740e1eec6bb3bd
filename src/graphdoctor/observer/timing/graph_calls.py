"""Steps of hand-written loops that call a graph function, counted by TensorFlow itself."""

import collections
import types

from graphdoctor.observer import tensorflow_internals as tensorflow
from graphdoctor.observer.timing.classify import Line
from graphdoctor.observer.timing.steps import StepCounter
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import GRAPH_EXECUTION


class GraphCalls:
    """Looks at TensorFlow's counters between samples, so that a cached call costs nothing."""

    def __init__(self, steps: StepCounter) -> None:
        self._steps = steps
        self._known: dict[types.CodeType, tuple[int, float]] = {}
        self._first_traced: dict[types.CodeType, float] = {}
        self._forgotten: collections.Counter[types.CodeType] = collections.Counter()
        self._ended: collections.deque[tuple[types.CodeType, int, float]] = collections.deque()
        self._looked = steps.clock()

    def trace_begins(self, code: types.CodeType | None) -> None:
        """A call of this code traces; it is counted when it returns, long after it began."""
        if code is not None and code not in self._known:
            self._first_traced.setdefault(code, self._steps.clock())

    def traced_call_ends(self, code: types.CodeType, forgotten: int) -> None:
        """A call that traced is over; TensorFlow's counter of what traces often drops old calls."""
        self._forgotten[code] += forgotten
        if not is_library(code.co_filename):
            self._ended.append((code, self._count(code, tensorflow.call_count(code)), self._steps.clock()))

    def look(self) -> None:
        """Add the calls since the last look; a loop's calls come one after the other."""
        now = self._steps.clock()
        counted = [
            (code, self._count(code, remembered), now)
            for code, remembered in tensorflow.call_counts()
            if isinstance(code, types.CodeType) and not is_library(code.co_filename)
        ]
        while self._ended:
            self._reached(*self._ended.popleft())
        for each in counted:
            self._reached(*each)
        self._looked = now

    def _count(self, code: types.CodeType, remembered: int) -> int:
        return remembered + self._forgotten[code]

    def _reached(self, code: types.CodeType, count: int, now: float) -> None:
        before, since = self._known.get(code, (0, self._first_traced.get(code, self._looked)))
        if count > before:
            self._add(code, since, now, count - before)
            self._known[code] = (count, now)

    def _add(self, code: types.CodeType, since: float, now: float, calls: int) -> None:
        line = Line(code.co_filename, code.co_firstlineno, code.co_name, GRAPH_EXECUTION)
        series = self._steps.of("calls", line)
        if series is not None and now > since:
            series.add(since, now, calls)
