"""Steps of hand-written loops that call a graph function, counted by TensorFlow itself."""

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

    def look(self) -> None:
        """Add the calls since the last look; a loop's calls come one after the other."""
        now = self._steps.clock()
        for code, count in tensorflow.call_counts():
            if isinstance(code, types.CodeType) and not is_library(code.co_filename):
                before, since = self._known.get(code, (0, now))
                if count > before:
                    self._add(code, since, now, count - before)
                if count != before:
                    self._known[code] = (count, now)

    def _add(self, code: types.CodeType, since: float, now: float, calls: int) -> None:
        line = Line(code.co_filename, code.co_firstlineno, code.co_name, GRAPH_EXECUTION)
        series = self._steps.of("calls", line)
        if series is not None and now > since:
            series.add(since, now, calls)
