"""The lines of converted code that a trace passed by: they stand in branches that Python did not take."""

import dataclasses
import threading
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.threads import OwnList
from graphdoctor.observer.objects import peek
from graphdoctor.observer.probe import Emit, Event, Probe
from graphdoctor.observer.user_code.reads import with_inner
from graphdoctor.recording.format import Problem

Lines = set[tuple[str, int]]


@dataclasses.dataclass
class _Trace:
    number: int
    taken: Lines = dataclasses.field(default_factory=set)
    left: Lines = dataclasses.field(default_factory=set)


class SkippedLines(Probe):
    """Hears each `if` of converted code; knows of a trace that ended which lines it did not run.

    A condition that is a tensor has both of its branches traced. Code that is not converted, as what
    Keras 3 calls, is not heard: none of its lines counts as skipped.
    """

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._own: OwnList[_Trace] = OwnList()
        self._last = threading.local()
        self._undo: Any = None
        self._faults = 0

    @property
    def lines(self) -> Lines:
        """Those of the trace that this thread ended last."""
        return getattr(self._last, "lines", set())

    def begun(self, event: Event, function: Any, options: Any) -> None:
        if self._undo is None:
            self._undo = internals.hook_branches(self._decided)
        self._own.items.append(_Trace(event["number"]))

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        traces = self._own.items
        while traces:
            trace = traces.pop()
            if traces:  # what it calls is traced inside it
                traces[-1].taken |= trace.taken
                traces[-1].left |= trace.left
            if trace.number == event["number"]:
                self._last.lines = trace.left - trace.taken
                return

    def paused(self) -> None:
        undo, self._undo = self._undo, None
        if undo is not None:
            undo()

    def _decided(self, condition: Any, body: Any, otherwise: Any) -> None:
        traces = self._own.items
        if not traces or not peek.is_plain(condition):
            return
        try:
            run, passed_by = (body, otherwise) if condition else (otherwise, body)
            traces[-1].taken.update(internals.source_lines(run.__code__))
            for code in with_inner(passed_by.__code__):
                traces[-1].left.update(internals.source_lines(code))
        except Exception as error:
            self._faults += 1
            if self._faults == 1:
                self._emit(Problem(message=describe_fault(self._decided, error)))
