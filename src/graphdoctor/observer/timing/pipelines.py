"""Which stages a pipeline has that the program iterates over, reported once per line."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.observer.timing.classify import Line
from graphdoctor.observer.timing.clocks import named_like
from graphdoctor.observer.timing.steps import StepCounter, chain_of_line
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import Pipeline, Place, Stage

MOST_STAGES = 30
MOST_PIPELINES = 50


class Pipelines:
    """Records each iterator that is made of a dataset; it keeps no dataset alive."""

    def __init__(self, emit: Callable[[Any], None]) -> None:
        self._emit = emit
        self._reported: set[tuple[Line | None, tuple[Stage, ...]]] = set()

    def hook(self, module: Any) -> list[Callable[[], None]]:
        """Look at a dataset before an iterator of it is made."""
        return [internals.replace(*internals.creating_method(module), self._looking)]

    def _looking(self, original: Any) -> Any:
        def create(iterator: Any, dataset: Any) -> Any:
            with contextlib.suppress(Exception):  # a pipeline of which nothing is known
                self._look(dataset)
            return original(iterator, dataset)

        return named_like(create, original)

    def _look(self, dataset: Any) -> None:
        if len(self._reported) >= MOST_PIPELINES:
            return
        line = StepCounter.line_of(sys._getframe(2))
        stages = tuple(_stage(one) for one in internals.stages_of(dataset, MOST_STAGES))
        if stages and (line, stages) not in self._reported:
            self._reported.add((line, stages))
            self._emit(Pipeline(chain=chain_of_line(line), stages=stages))


def _stage(dataset: Any) -> Stage:
    name, code, runs_python = internals.describe_stage(dataset)
    own = code is not None and not is_library(code.co_filename)
    return Stage(
        name=name,
        place=Place(path=code.co_filename, line=code.co_firstlineno) if own and code is not None else None,
        parallel=internals.is_parallel(dataset),
        python=runs_python,
    )
