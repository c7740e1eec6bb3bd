"""Turns each cache miss of TensorFlow into one event of the recording."""

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
from graphdoctor.observer.callsite import call_site, is_library
from graphdoctor.observer.describe import describe_arguments
from graphdoctor.observer.identities import Identities
from graphdoctor.observer.probe import Probe, default_probes

Emit = Callable[[dict[str, Any]], None]


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
    ) -> None:
        self._emit = emit
        self._probes = default_probes() if probes is None else list(probes)
        self._clock = clock
        self._started = clock()
        self._numbers = itertools.count(1)
        self._thread = threading.local()
        self._dead: collections.deque[int] = collections.deque()
        self._objects = Identities(self._dead.append)
        self._dead_functions: collections.deque[int] = collections.deque()
        self._functions = Identities(self._dead_functions.append)
        self._forgotten_calls: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()

    def begin(self, function_type: Any, options: Any) -> _Running | None:
        """Note that a trace begins in this thread."""
        entered = self._clock()
        event: dict[str, Any] | None = self._guard(self._describe, function_type, options)
        if event is None:
            return None
        stack = self._running()
        event["parent"] = stack[-1].event["number"] if stack else None
        event["start"] = entered - self._started
        stack.append(_Running(event, entered, self._clock()))
        return stack[-1]

    def end(
        self,
        running: _Running | None,
        graph: Any,
        error: BaseException | None = None,
        concrete: Any = None,
    ) -> None:
        """Record the trace that now ended, well or not."""
        seconds = self._clock() - running.started if running else 0.0
        if running is None:
            return
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
        event.update(self._deaths())
        self._guard(self._emit, event)
        if stack:
            stack[-1].nested += self._clock() - running.entered

    def asked_for(self, function_type: Any) -> None:
        """Remember the type that was looked up, until the trace for it begins."""
        self._thread.asked_for = function_type

    def called_with_tracing(self, code: Any, forgotten: int) -> None:
        """Add up the calls that TensorFlow's own statistics forget."""
        self._guard(self._count_forgotten, code, forgotten)

    def calls(self) -> list[dict[str, Any]]:
        """How often each function was called from eager code, as TensorFlow counted."""
        counted = []
        for code, calls in internals.call_counts():
            if isinstance(code, types.CodeType):
                calls += self._forgotten_calls.get(code, 0)
                counted.append({"path": code.co_filename, "line": code.co_firstlineno, "calls": calls})
        return counted

    def close(self) -> None:
        """Emit the closing event: the run came to its end, and these are its totals."""
        self._guard(self._emit_end)

    def _emit_end(self) -> None:
        for probe in self._probes:
            for event in self._guard(list, probe.closing()) or ():
                self._emit(event)
        self._emit(
            {
                "event": "end",
                "seconds": self._clock() - self._started,
                "calls": self.calls(),
                **self._deaths(),
            }
        )

    def _count_forgotten(self, code: Any, forgotten: int) -> None:
        self._forgotten_calls[code] = self._forgotten_calls.get(code, 0) + forgotten

    def _describe(self, function_type: Any, options: Any) -> dict[str, Any]:
        asked_for = getattr(self._thread, "asked_for", None) or function_type
        self._thread.asked_for = None
        function = internals.user_function(options)
        code = internals.code_of(function)
        event = {
            "event": "trace",
            "number": next(self._numbers),
            "function": _reference(function, code, options),
            "object": self._functions.number(options.function_captures),
            "per_instance": internals.is_per_instance(function),
            "library": code is None or is_library(code.co_filename),
            "arguments": describe_arguments(asked_for.parameters, self._objects.number),
            "context": internals.context_fields(options),
            "pass": options.scope_type.name,
            "reduce_retracing": bool(options.reduce_retracing),
            "input_signature": options.input_signature is not None,
            "jit_compile": bool((options.attributes or {}).get("_XlaMustCompile", False)),
            "site": call_site(internals.stack()),
            "thread": threading.get_ident(),
        }
        for probe in self._probes:
            self._guard(probe.begun, event, function, options)
        return event

    def _running(self) -> list[_Running]:
        if not hasattr(self._thread, "running"):
            self._thread.running = []
        return self._thread.running  # type: ignore[no-any-return]

    def _deaths(self) -> dict[str, list[int]]:
        """The numbers of the arguments and Function objects that died since we last told."""
        return {"dead_objects": _drain(self._dead), "dead_functions": _drain(self._dead_functions)}

    def _guard(self, action: Callable[..., Any], *arguments: Any) -> Any:
        """The action's result, or None after noting in the recording that we failed, not the program."""
        try:
            return action(*arguments)
        except Exception as error:
            note = f"{action.__name__}: {type(error).__name__}: {error}"
            self._emit({"event": "problem", "message": note[:500]})
            return None


def _drain(queue: collections.deque[int]) -> list[int]:
    return [queue.popleft() for _ in range(len(queue))]


def _reference(function: Any, code: types.CodeType | None, options: Any) -> dict[str, Any]:
    if code is None:
        return {"name": str(options.name), "path": "", "line": 0}
    return {
        "name": internals.qualified_name(function, code),
        "path": code.co_filename,
        "line": code.co_firstlineno,
    }
