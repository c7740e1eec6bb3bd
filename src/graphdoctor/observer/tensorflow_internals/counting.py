"""Hears and counts the calls that needed no trace."""

import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.tensorflow_internals.disguising import disguise


def call_count(code: types.CodeType) -> int:
    """The calls that TensorFlow still remembers of one code object (eager, top level)."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    return remembered_calls(polymorphic_function._frequent_tracing_detector_manager, code)


def call_counts() -> Iterator[tuple[Any, int]]:
    """The calls that TensorFlow still remembers of each code object (eager, top level)."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    manager = polymorphic_function._frequent_tracing_detector_manager
    for key, detector in list(manager._detectors.items()):
        yield key, detector._call_count


def remembered_calls(manager: Any, key: Any) -> int:
    """The calls that one of TensorFlow's counters still remembers of a code object."""
    detector = manager._detectors.get(key)
    return detector._call_count if detector is not None else 0


def hook_hits(heard: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Call `heard(concrete, function_type)` at each call that finds its trace; returns the undoing.

    This is on the path of every call, nested ones too: for `--calls` only.
    """
    from tensorflow.core.function.polymorphism import function_cache

    cache_class = function_cache.FunctionCache
    lookup = cache_class.lookup

    def hearing_lookup(cache: Any, function_type: Any, context: Any = None) -> Any:
        concrete = lookup(cache, function_type, context)
        if concrete is not None:
            heard(concrete, function_type)
        return concrete

    cache_class.lookup = disguise(hearing_lookup, lookup)

    def undo() -> None:
        cache_class.lookup = lookup

    return undo


def counted_by(function: Any) -> Any:
    """What TensorFlow counts the calls of a Python function by: its code, or an object itself."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    function = getattr(function, "__func__", function)
    return getattr(function, "__code__", function)


def listen_to_hits(key: Any, heard: Callable[[], None]) -> Callable[[], None]:
    """Call `heard` after each eager call that needed no trace; returns the undoing.

    TensorFlow counts these calls itself, with one counter for all that is `counted_by` one key; ours takes
    the place of this counter only, so that all other functions run as without us.
    """
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    manager = polymorphic_function._frequent_tracing_detector_manager
    with manager._lock:
        detector = manager._get_detector(key)
        if not isinstance(detector, _listening_detector()):
            detector = manager._detectors[key] = _listening_detector()(detector)
        detector.listeners = (*detector.listeners, heard)

    def undo() -> None:
        with manager._lock:
            detector.listeners = tuple(other for other in detector.listeners if other is not heard)

    return undo


@functools.cache
def _listening_detector() -> Any:
    """TensorFlow's counter of calls, with ears."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    detector = polymorphic_function._FrequentTracingDetector

    class ListeningDetector(detector):  # type: ignore[misc, valid-type]
        __slots__ = ("listeners",)

        def __init__(self, before: Any) -> None:
            for field in detector.__slots__:
                setattr(self, field, getattr(before, field))
            self.listeners: tuple[Callable[[], None], ...] = ()

        def called_without_tracing(self) -> None:
            detector.called_without_tracing(self)
            for heard in self.listeners:
                heard()

    return ListeningDetector


def captures_of_called_function() -> Any:
    """From within `heard`: the `function_captures` of the Function object that was called."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__call__" and code.co_filename.endswith("polymorphic_function.py"):
            return getattr(frame.f_locals.get("self"), "_function_captures", None)
        frame = frame.f_back
    return None
