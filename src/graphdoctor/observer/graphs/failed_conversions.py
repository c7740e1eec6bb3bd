"""Hears on which functions AutoGraph gives up, and why: TensorFlow says so in a warning, and goes on."""

import threading
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.callsite import chain_of
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import Definition, Frame, Place, Problem, Staging

LONGEST_REASON = 200


class ConversionsProbe(Probe):
    """Tells of each function of the user's that ran as it stands; pays when AutoGraph gives up."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._thread = threading.local()
        self._reported: set[Definition] = set()
        self._undo: Any = None

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if self._undo is None:
            self._undo = internals.hook_failed_conversions(self._gave_up)
        self._traces().append(event["number"])

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        traces = self._traces()
        while traces and traces.pop() != event["number"]:
            pass

    def paused(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def _traces(self) -> list[int]:
        if not hasattr(self._thread, "traces"):
            self._thread.traces = []
        return self._thread.traces  # type: ignore[no-any-return]

    def _gave_up(self, function: Any, error: BaseException) -> None:
        try:
            code, traces = internals.code_of(function), self._traces()
            if code is None or not traces or is_library(code.co_filename):
                return
            name = internals.qualified_name(function, code)
            definition = Definition(name=name, path=code.co_filename, line=code.co_firstlineno)
            if definition not in self._reported:
                self._reported.add(definition)
                self._emit(_event(definition, str(error) or type(error).__name__, traces[-1]))
        except Exception as fault:
            self._emit(Problem(message=describe_fault(self._gave_up, fault)))


def _event(definition: Definition, reason: str, trace: int) -> Staging:
    place = Place(path=definition.path, line=definition.line)
    here = Frame(function=definition.name, place=place, definition=definition)
    return Staging(
        chain=(*chain_of(internals.stack()), here),
        trace=trace,
        construct="function",
        outcome="python",
        reason=reason[:LONGEST_REASON],
    )
