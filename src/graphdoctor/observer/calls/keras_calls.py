"""Hears each `fit`, `evaluate` and `predict` get its data ready, and counts what that costs by line."""

import dataclasses
import functools
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.probe import Emit, Probe
from graphdoctor.observer.user_code.callsite import chain_of
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import AnyEvent, Applied, Frame, Problem

METHODS = ("fit", "evaluate", "predict")
MOST_LINES = 200


@dataclasses.dataclass
class _Line:
    """The calls of one method at one line of the user's."""

    method: str
    chain: tuple[Frame, ...]
    single: bool = True
    calls: int = 0
    seconds: float = 0.0
    reported: int = 0
    first_steps: int = 0
    steps: int = 0

    def event(self) -> Applied:
        self.reported = self.calls
        between = (self.steps - self.first_steps) // max(1, self.calls - 1)
        return Applied(
            what=self.method,
            object=0,
            chain=self.chain,
            options={"batches": "1", "steps between": str(between)} if self.single else {},
            calls=self.calls,
            seconds=round(self.seconds, 6),
        )


class KerasCallsProbe(Probe):
    """Times how Keras makes a pipeline at the beginning of each call; a step of it never meets us."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._lines: dict[tuple[str, int, str], _Line] = {}
        self._undo: list[Callable[[], None]] = []
        self._faults = 0
        self._calls = 0
        self.resumed()

    def resumed(self) -> None:
        for name, kind in internals.READYING.items() if not self._undo else ():
            self._undo.append(when_imported(name, functools.partial(self._hook, kind)))

    def paused(self) -> None:
        while self._undo:
            self._undo.pop()()

    def closing(self) -> Iterator[AnyEvent]:
        return (line.event() for line in self._lines.values() if line.calls > line.reported)

    def _hook(self, kind: str, module: types.ModuleType) -> None:
        try:
            self._undo.append(
                internals.hook_construction(getattr(module, kind), time.perf_counter, self._made)
            )
        except Exception as error:
            self._fault(error)

    def _made(self, iterator: Any, begun: float) -> None:
        try:
            if not internals.is_tracing():  # in a graph it cannot run: what it costs is the trace's
                self._count(iterator, time.perf_counter() - begun)
        except Exception as error:
            self._fault(error)

    def _count(self, iterator: Any, seconds: float) -> None:
        caller: types.FrameType | None = sys._getframe(3)  # past `_made` and the hook: who made it
        if caller is None or caller.f_code.co_name not in METHODS:
            return
        method, held = caller.f_code.co_name, caller.f_locals
        if method == "fit" and held.get("epoch_iterator", held.get("data_handler")) is not None:
            return  # the data of the validation
        batches = getattr(iterator, "num_batches", getattr(iterator, "inferred_steps", None))
        user: types.FrameType | None = caller
        while user is not None and is_library(user.f_code.co_filename):
            user = user.f_back
        if user is None:
            return
        self._calls += 1
        steps = _graph_calls() - self._calls  # a call for one batch is one of a graph, and no training
        key = (user.f_code.co_filename, user.f_lineno, method)
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) >= MOST_LINES:
                return
            line = self._lines[key] = _Line(method, chain_of(internals.stack()), first_steps=steps)
        line.calls += 1
        line.steps = steps
        line.seconds += seconds
        line.single &= batches == 1 and held.get("epochs", 1) == 1
        if line.calls >= 10 * max(
            1, line.reported
        ):  # a killed program has reported nearly all, and never much
            self._emit(line.event())

    def _fault(self, error: Exception) -> None:
        self._faults += 1
        if self._faults == 1:
            self._emit(Problem(message=describe_fault(self._made, error)))


def _graph_calls() -> int:
    """How many calls of graph functions, of all that this process has, TensorFlow remembers."""
    return sum(count for _, count in internals.call_counts())
