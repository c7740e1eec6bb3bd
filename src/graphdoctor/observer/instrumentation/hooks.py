"""One set of hooks in TensorFlow, however many listen to it."""

import threading
from collections.abc import Callable
from typing import Any, Protocol

from graphdoctor.observer import tensorflow_internals as internals

Begun = list[tuple["Listener", Any]]


class Listener(Protocol):
    """Hears of every trace in this process. What it raises is noted as its problem, and goes no further."""

    def objection(self, function_type: Any, options: Any) -> Exception | None:
        """The error that is to stand in place of the trace that is about to begin, if any."""

    def begin(self, function_type: Any, options: Any) -> Any:
        """A trace begins; what is returned comes back in `end`."""

    def end(self, begun: Any, graph: Any, error: BaseException | None, concrete: Any) -> None:
        """The trace ended, well (with a ConcreteFunction) or not (with an error)."""

    def asked_for(self, function_type: Any) -> None:
        """The type that was looked up, before `reduce_retracing` generalised it."""

    def called_with_tracing(self, code: Any, forgotten: int) -> None:
        """How many calls TensorFlow's own count just dropped."""

    def made(self, concrete: Any) -> None:
        """A trace is done: all we hear on a TensorFlow whose insides we do not know."""

    def problem(self, message: str) -> None:
        """Something of ours failed, or cannot be seen here."""


_lock = threading.RLock()
_listeners: tuple[Listener, ...] = ()
_installed: internals.Installed | None = None


def attach(listener: Listener) -> Callable[[], None]:
    """Let a listener hear of every trace from now on; returns the undoing. TensorFlow is imported."""
    global _listeners, _installed
    with _lock:
        _listeners = (*_listeners, listener)
        if _installed is None:
            _installed = internals.install(_begin, _end, _asked_for, _called_with_tracing, _made)
        for message in _installed.blind:
            listener.problem(message)
    return lambda: _detach(listener)


def _detach(listener: Listener) -> None:
    global _listeners, _installed
    with _lock:
        _listeners = tuple(other for other in _listeners if other is not listener)
        if not _listeners and _installed is not None:
            _installed.undo()
            _installed = None


def _begin(function_type: Any, options: Any) -> Begun:
    for listener in _listeners:
        objection = _guarded(listener, listener.objection, function_type, options)
        if objection is not None:
            raise objection
    return [(each, _guarded(each, each.begin, function_type, options)) for each in _listeners]


def _end(begun: Begun, graph: Any, error: BaseException | None, concrete: Any) -> None:
    for listener, token in reversed(begun):
        _guarded(listener, listener.end, token, graph, error, concrete)


def _asked_for(function_type: Any) -> None:
    for listener in _listeners:
        _guarded(listener, listener.asked_for, function_type)


def _called_with_tracing(code: Any, forgotten: int) -> None:
    for listener in _listeners:
        _guarded(listener, listener.called_with_tracing, code, forgotten)


def _made(concrete: Any) -> None:
    for listener in _listeners:
        _guarded(listener, listener.made, concrete)


def _guarded(listener: Listener, action: Callable[..., Any], *arguments: Any) -> Any:
    """The action's result, or None: a fault of ours is noted, and the program goes on."""
    try:
        return action(*arguments)
    except Exception as error:
        listener.problem(describe_fault(action, error))
        return None


def describe_fault(action: Callable[..., Any], error: Exception) -> str:
    """What failed, in one line that never fails itself."""
    try:
        text = str(error)
    except Exception:
        text = "?"
    return f"{getattr(action, '__name__', action)}: {type(error).__name__}: {text}"[:500]
