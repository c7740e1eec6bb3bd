"""`no_retrace()` and `max_traces()`: an exception with the reason, in place of a trace too many."""

import contextlib
import dataclasses
import os
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from graphdoctor.errors import RetraceError
from graphdoctor.model.paths import relative_path
from graphdoctor.model.words import count, printable
from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.objects.describe import describe_arguments
from graphdoctor.observer.probe import OriginProbe
from graphdoctor.observer.recorder import Recorder
from graphdoctor.recording import Retrace, Trace
from graphdoctor.recording.grouping import Group, group_traces
from graphdoctor.recording.history import Explainer
from graphdoctor.recording.labels import PER_INSTANCE, VARIABLE_CREATION
from graphdoctor.recording.wording import reason

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
BLAMELESS = (VARIABLE_CREATION, PER_INSTANCE)


class Limit(Recorder):
    """Objects to a trace that is not allowed; records nothing.

    `allowed` traces of each function; None allows one, and those that are benign. It holds for one
    function, given by its code, or for one thread.
    """

    def __init__(
        self, allowed: int | None, code: types.CodeType | None = None, thread: int | None = None
    ) -> None:
        super().__init__(lambda event: None, probes=[OriginProbe()])
        self._allowed = allowed
        self._code = code
        self._limited_thread = thread
        self._explainers: dict[Group, Explainer] = {}
        self._counts: dict[Group, int] = {}

    def objection(self, function_type: Any, options: Any) -> Exception | None:
        """The error that stands in place of a trace too many."""
        if not self._concerns(options):
            return None
        trace = Trace(**self._describe(function_type, options))
        for group in group_traces([trace]):
            if group not in self._explainers:
                self._explainers[group] = self._explainer(trace, group, options)
            retrace = self._explainers[group].reason(trace)
            error = self._judge(trace, group, retrace)
            if error is not None:
                return error
            self._explainers[group].add(trace)
        return None

    def begin(self, function_type: Any, options: Any) -> None:
        """All is said in `objection`."""

    def _concerns(self, options: Any) -> bool:
        if self._code is None:
            return threading.get_ident() == self._limited_thread
        return internals.code_of(internals.user_function(options)) is self._code

    def _explainer(self, trace: Trace, group: Group, options: Any) -> Explainer:
        """Knows what the function was traced for before we listened, from its own cache."""
        explainer = Explainer(group.origin)
        for function_type, passes, context in internals.cached_keys(options):
            arguments = describe_arguments(function_type.parameters, self._objects.number)
            earlier = dataclasses.replace(trace, arguments=arguments, passes=passes, context=context)
            explainer.add(earlier)
        return explainer

    def _judge(self, trace: Trace, group: Group, retrace: Retrace | None) -> RetraceError | None:
        if self._allowed is None:
            alarming = retrace is not None and retrace.label is None
            return _error(trace, group, "was traced again", retrace) if alarming else None
        if retrace is not None and retrace.label in BLAMELESS:
            return None
        if self._counts.get(group, 0) >= self._allowed:
            return _error(trace, group, f"was traced more than {count(self._allowed, 'time')}", retrace)
        self._counts[group] = self._counts.get(group, 0) + 1
        return None


def _error(trace: Trace, group: Group, what: str, retrace: Retrace | None) -> RetraceError:
    function = replace(group.function, path=relative_path(group.function.path, os.getcwd()))
    why = f": {reason(retrace)}" if retrace is not None else ""
    site = trace.place
    called = f" (called at {relative_path(site.path, os.getcwd())}:{site.line})" if site else ""
    text = f"`{function.name}` of {function.path}:{function.line} {what}{why}{called}"
    error = RetraceError(printable(text))
    error.function = function
    error.differences = retrace.differences if retrace is not None else ()
    return error


class _Limited(contextlib.ContextDecorator):
    """The limit holds inside the block, or inside each call of the decorated function."""

    def __init__(self, allowed: int | None) -> None:
        self._allowed = allowed
        self._entered: list[contextlib.ExitStack] = []

    def _recreate_cm(self) -> "_Limited":
        return type(self)(self._allowed)

    def __enter__(self) -> None:
        undoing = contextlib.ExitStack()
        thread = threading.get_ident()

        def listen(_: types.ModuleType) -> None:
            undoing.callback(hooks.attach(Limit(self._allowed, thread=thread)))

        undoing.callback(when_imported(internals.TRACING_MODULE, listen))
        self._entered.append(undoing)

    def __exit__(self, *_: object) -> None:
        self._entered.pop().close()


class MaxTraces(_Limited):
    """What `max_traces` returns: a context manager and decorator."""

    def __call__(self, function: Decorated) -> Decorated:
        """The function, limited; a `tf.function` stays what it is, and costs nothing more to call."""
        code = internals.code_of(getattr(function, "python_function", function))
        if code is None:
            raise TypeError(f"max_traces() decorates functions, not {type(function).__name__}")
        limited = function if hasattr(function, "python_function") else super().__call__(function)
        _limit_code(limited, code, self._allowed)
        return limited


def _limit_code(owner: Any, code: types.CodeType, allowed: int | None) -> None:
    """Limit the traces of one function for as long as it lives."""

    def listen(_: types.ModuleType) -> None:
        weakref.finalize(owner, hooks.attach(Limit(allowed, code))).atexit = False

    when_imported(internals.TRACING_MODULE, listen)


def no_retrace() -> _Limited:
    """A context manager and decorator: RetraceError, with the reason, when a function is traced again in it.

    The first trace of a function may happen inside; benign ones (a first call that creates variables,
    another instance, a smaller last batch ...) too. Traces of other threads are not touched.
    """
    return _Limited(None)


def max_traces(most: int) -> MaxTraces:
    """A decorator: RetraceError, with the reason, when the function is traced more often than this.

    Also a context manager, and a decorator of functions that call graph functions: then the limit is
    for each function, inside the block or each call.
    """
    if most < 0:
        raise ValueError(f"max_traces() takes 0 or more, not {most}")
    return MaxTraces(most)
