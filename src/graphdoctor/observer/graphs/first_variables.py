"""Hears which lines make variables inside a trace: TensorFlow then traces the function a second time."""

from collections import Counter
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.threads import OwnList
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_of
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import FIRST_VARIABLES, Frame, Made, Problem

# Whose variables they are, by the file that makes them.
OWNERS = {"/optimizers/": "optimizer", "/layers/": "layer", "/models/": "layer", "/metrics/": "metric"}
MOST_PLACES = 20


class FirstVariablesProbe(Probe):
    """Tells of each line that made variables in a trace, and how many; pays when one is made there."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._own: OwnList[tuple[int, Counter[tuple[str, tuple[Frame, ...]]]]] = OwnList()
        self._undo: Any = None
        self._faults = 0

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if self._undo is None:
            self._undo = internals.hook_first_variables(self._made)
        self._traces().append((event["number"], Counter()))

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        traces = self._traces()
        while traces:
            number, made = traces.pop()
            if number == event["number"]:
                for (owner, chain), count in made.most_common(MOST_PLACES):
                    self._emit(_event(number, owner, chain, count))
                return

    def paused(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def _traces(self) -> list[tuple[int, Counter[tuple[str, tuple[Frame, ...]]]]]:
        return self._own.items

    def _made(self, variable: Any, begun: Any) -> None:
        try:
            traces = self._traces()
            if traces:
                frames = internals.stack()
                traces[-1][1][_owner(frames), chain_of(frames)] += 1
        except Exception as error:
            self._faults += 1
            if self._faults == 1:
                self._emit(Problem(message=describe_fault(self._made, error)))


def _event(number: int, owner: str, chain: tuple[Frame, ...], count: int) -> Made:
    options = {"variables": str(count)}
    return Made(what=FIRST_VARIABLES, trace=number, type=owner, chain=chain, options=options)


def _owner(frames: list[Any]) -> str:
    """What the user's line called that makes the variable: an optimizer, a layer, or nothing of Keras'."""
    inside: list[str] = []
    for frame in reversed(frames):
        if not is_library(frame.filename):
            break
        inside.append(frame.filename.replace("\\", "/"))
    for path in inside:
        for mark, owner in OWNERS.items():
            if mark in path and "keras/" in path:
                return owner
    return ""
