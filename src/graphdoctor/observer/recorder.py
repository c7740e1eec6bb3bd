"""Writes each cache miss of TensorFlow as one event of the recording."""

import collections
import dataclasses
import itertools
import threading
import time
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.event_probes import event_probes
from graphdoctor.observer.instrumentation.hooks import describe_fault
from graphdoctor.observer.instrumentation.threads import OwnList
from graphdoctor.observer.objects.describe import describe_arguments
from graphdoctor.observer.objects.identities import Identities
from graphdoctor.observer.probe import Emit, Probe, default_probes
from graphdoctor.observer.user_code.callsite import call_site, calls_graph_function, nearest_frames
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.observer.user_code.reached_functions import begin_with
from graphdoctor.recording.format import Calls, Definition, End, Problem, Trace

# A fault that shows at every trace must not fill the recording.
MOST_PROBLEMS = 20


@dataclasses.dataclass
class _Running:
    """A trace under way in one thread."""

    event: dict[str, Any]
    entered: float
    started: float
    nested: float = 0.0


class Recorder:
    """Hears of every trace from the hooks and emits events; never raises into the program."""

    def __init__(
        self,
        emit: Emit,
        probes: Sequence[Probe] | None = None,
        clock: Callable[[], float] = time.perf_counter,
        calls: bool = False,
    ) -> None:
        self._emit = emit
        self._probes = [*default_probes(), *event_probes(emit, calls)] if probes is None else list(probes)
        self._clock = clock
        self._started = clock()
        self._numbers = itertools.count(1)
        self._thread = threading.local()
        self._own: OwnList[_Running] = OwnList()
        self._dead: collections.deque[int] = collections.deque()
        self._objects = Identities(self._dead.append)
        self._dead_functions: collections.deque[int] = collections.deque()
        self._functions = Identities(self._dead_functions.append)
        self._forgotten_calls: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._problems = 0
        self._idle = 0.0
        self._paused: tuple[float, dict[Any, int]] | None = None
        self._guard(self._start_counting)

    def begin(self, function_type: Any, options: Any) -> _Running | None:
        """Note that a trace begins in this thread."""
        entered = self._clock()
        event: dict[str, Any] | None = self._guard(self._describe, function_type, options)
        if event is None:
            return None
        stack = self._running()
        event["trace"] = stack[-1].event["number"] if stack else 0
        event["start"] = entered - self._started
        stack.append(_Running(event, entered, self._clock()))
        return stack[-1]

    def under_way(self) -> int:
        """The number of the trace that this thread is at; 0 for none."""
        stack = self._running()
        return stack[-1].event["number"] if stack else 0

    def end(
        self,
        running: _Running | None,
        graph: Any,
        error: BaseException | None = None,
        concrete: Any = None,
    ) -> None:
        """Record the trace that now ended, well or not."""
        if running is None:
            return
        seconds = self._clock() - running.started
        stack = self._running()
        while stack and stack.pop() is not running:
            pass
        event = running.event
        event["seconds"] = seconds
        event["own_seconds"] = max(0.0, seconds - running.nested)
        event["failed"] = type(error).__name__ if error is not None else None
        for probe in self._probes:
            self._guard(probe.ended, event, graph, error)
            if concrete is not None:
                self._guard(probe.created, event, concrete)
        self._guard(self._emit_trace, event)
        if stack:
            stack[-1].nested += self._clock() - running.entered

    def _emit_trace(self, event: dict[str, Any]) -> None:
        failure = event.pop("failure", None)
        if failure is not None:
            self._emit(failure)
        self._emit(Trace(**{**event, **self._deaths()}))

    def asked_for(self, function_type: Any) -> None:
        """Remember the type that was looked up, until the trace for it begins."""
        self._thread.asked_for = function_type

    def called_with_tracing(self, code: Any, forgotten: int) -> None:
        """Add up the calls that TensorFlow's own statistics forget."""
        self._guard(self._count_forgotten, code, forgotten)

    def objection(self, function_type: Any, options: Any) -> Exception | None:
        """A recorder objects to nothing."""

    def made(self, concrete: Any) -> None:
        """Record a finished trace on a TensorFlow whose insides we do not know."""
        event = internals.describe_concrete(concrete)
        event.update(
            number=next(self._numbers),
            arguments=describe_arguments(event["arguments"], self._objects.number),
            library=is_library(event["function"].path),
            chain=call_site(nearest_frames()),
            thread=threading.get_ident(),
            start=self._clock() - self._started,
        )
        self._emit_trace(event)

    def pause(self) -> None:
        """We stop listening for a while, which is not to count."""
        self._paused = self._clock(), self._guard(dict, internals.call_counts()) or {}
        for probe in self._probes:
            self._guard(probe.paused)

    def resume(self) -> None:
        """We listen again."""
        if self._paused is None:
            return
        since, counted = self._paused
        self._paused = None
        for probe in self._probes:
            self._guard(probe.resumed)
        self._idle += self._clock() - since
        for code, calls in self._guard(list, internals.call_counts()) or ():
            self._count_forgotten(code, counted.get(code, 0) - calls)

    def problem(self, message: str) -> None:
        """Note in the recording what we could not do or cannot see."""
        self._problems += 1
        if self._problems <= MOST_PROBLEMS:
            self._emit(Problem(message=message))

    def calls(self) -> list[Calls]:
        """How often each function was called from eager code since we listen, as TensorFlow counted."""
        counted = []
        known = internals.call_counts() if self._paused is None else self._paused[1].items()
        for code, calls in known:
            if isinstance(code, types.CodeType):
                calls += self._forgotten_calls.get(code, 0)
                function = Definition(name=code.co_name, path=code.co_filename, line=code.co_firstlineno)
                counted.append(Calls(function=function, calls=calls))
        return counted

    def close(self) -> None:
        """Emit the closing event: the run came to its end, and these are its totals."""
        self._guard(self._emit_end)

    def _emit_end(self) -> None:
        for probe in self._probes:
            for event in self._guard(list, probe.closing()) or ():
                self._emit(event)
        for counted in self._guard(self.calls) or ():
            self._emit(counted)
        seconds = (self._paused[0] if self._paused else self._clock()) - self._started - self._idle
        self._emit(End(seconds=seconds, **self._deaths()))

    def _start_counting(self) -> None:
        """Calls from before we listen do not count."""
        for code, calls in internals.call_counts():
            self._forgotten_calls[code] = -calls

    def _count_forgotten(self, code: Any, forgotten: int) -> None:
        self._forgotten_calls[code] = self._forgotten_calls.get(code, 0) + forgotten

    def _describe(self, function_type: Any, options: Any) -> dict[str, Any]:
        asked_for = getattr(self._thread, "asked_for", None) or function_type
        self._thread.asked_for = None
        function = internals.user_function(options)
        code = internals.code_of(function)
        frames = nearest_frames()
        event = {
            "number": next(self._numbers),
            "function": _reference(function, code, options),
            "object": self._functions.number(options.function_captures),
            "per_instance": internals.is_per_instance(function),
            "library": code is None or is_library(code.co_filename),
            "arguments": describe_arguments(asked_for.parameters, self._objects.number),
            "context": internals.context_fields(options),
            "passes": options.scope_type.name,
            "options": _options(options),
            "chain": call_site(frames),
            "direct": not self._running() and calls_graph_function(frames),
            "thread": threading.get_ident(),
            "calls": self._guard(self._calls_of, code),
        }
        begin_with(internals.object_arguments(asked_for))
        for probe in self._probes:
            self._guard(probe.begun, event, function, options)
        return event

    def _calls_of(self, code: types.CodeType | None) -> int | None:
        if code is None:
            return None
        return internals.call_count(code) + self._forgotten_calls.get(code, 0)

    def _running(self) -> list[_Running]:
        return self._own.items

    def _deaths(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the arguments and Function objects that died since we last reported."""
        return {"dead_objects": _drain(self._dead), "dead_functions": _drain(self._dead_functions)}

    def _guard(self, action: Callable[..., Any], *arguments: Any) -> Any:
        """The action's result, or None after noting in the recording that we failed, not the program."""
        try:
            return action(*arguments)
        except Exception as error:
            self.problem(describe_fault(action, error))
            return None


def _drain(queue: collections.deque[int]) -> tuple[int, ...]:
    return tuple(queue.popleft() for _ in range(len(queue)))


def _options(options: Any) -> dict[str, str]:
    """The options of `tf.function` that are set."""
    given = {
        "reduce_retracing": bool(options.reduce_retracing),
        "input_signature": options.input_signature is not None,
        "jit_compile": bool((options.attributes or {}).get("_XlaMustCompile", False)),
    }
    return {name: "True" for name, value in given.items() if value}


def _reference(function: Any, code: types.CodeType | None, options: Any) -> Definition:
    if code is None:
        return Definition(name=str(options.name), path="", line=0)
    name = internals.qualified_name(function, code)
    return Definition(name=name, path=code.co_filename, line=code.co_firstlineno)
