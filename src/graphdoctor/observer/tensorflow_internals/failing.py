"""Hears of exceptions where TensorFlow and Keras make them or let them go; only failures pay for it."""

import importlib
import sys
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.replacing import replaced

# They clean the traceback of each exception that leaves a public function.
CLEANING = (
    "tensorflow.python.util.traceback_utils",
    "keras.src.utils.traceback_utils",
    "tf_keras.src.utils.traceback_utils",
)
RUNTIME = "tensorflow.python.eager.core"
LOOPS = "tensorflow.python.autograph.operators.control_flow"
SAVING = "tensorflow.python.saved_model.save_context"


def hook_cleaning(
    module: Any, heard: Callable[[types.TracebackType | None, types.FrameType | None], None]
) -> Callable[[], None]:
    """Call `heard(traceback, caller)` with each exception that leaves; it is the one in `sys.exc_info()`."""
    clean = module._process_traceback_frames

    def _process_traceback_frames(traceback: types.TracebackType | None) -> Any:
        heard(traceback, sys._getframe(1).f_back)
        return clean(traceback)

    return replaced(module, "_process_traceback_frames", _process_traceback_frames)


def is_handled(error: BaseException) -> bool:
    """Whether TensorFlow raises and catches it itself (2.16 to 2.21): it then initialises by a condition.

    It is raised where a variable's initial value depends on an argument of the graph function.
    """
    from tensorflow.python.eager import lift_to_graph

    return isinstance(error, lift_to_graph.UnliftableError)


def hook_runtime_errors(heard: Callable[[BaseException], None]) -> Callable[[], None]:
    """Call `heard` with each exception that is made of what the runtime reports."""
    module: Any = importlib.import_module(RUNTIME)
    make = module._status_to_exception

    def _status_to_exception(*arguments: Any, **options: Any) -> Any:
        error = make(*arguments, **options)
        heard(error)
        return error

    return replaced(module, "_status_to_exception", _status_to_exception)


def hook_saving_errors(module: Any, heard: Callable[[BaseException], None]) -> Callable[[], None]:
    """Call `heard` with each exception that ends the making of a SavedModel; `module` is that of SAVING."""
    enter = module.save_context

    class Saving:
        """What TensorFlow saves in: a manager leaves no frame of ours in a traceback."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            self._inner = enter(*arguments, **options)

        def __enter__(self) -> Any:
            return self._inner.__enter__()

        def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> Any:
            if error is not None:
                heard(error)
            return self._inner.__exit__(kind, error, traceback)

    return replaced(module, "save_context", Saving)


def hook_graph_errors(heard: Callable[[BaseException], None]) -> Callable[[], None]:
    """Call `heard` with each exception that leaves the call of a graph."""
    from tensorflow.python.eager.polymorphic_function import atomic_function

    leaving = atomic_function.InterpolateRuntimeError
    leave = leaving.__exit__

    def __exit__(self: Any, kind: Any, error: Any, traceback: Any) -> Any:  # noqa: N807
        if error is not None:
            heard(error)
        return leave(self, kind, error, traceback)

    return replaced(leaving, "__exit__", __exit__)


def staged_loop(frame: types.FrameType) -> dict[str, Any]:
    """What a loop carries, as it was before, where the frame is the one that makes it an operation."""
    if frame.f_code.co_name != "_tf_while_stmt" or frame.f_globals.get("__name__") != LOOPS:
        return {}
    values = frame.f_locals
    return dict(zip(values.get("symbol_names", ()), values.get("orig_init_vars", ()), strict=False))


def staged_iteration(frame: types.FrameType) -> tuple[Any, ...]:
    """What a loop carries, as tensors, where the frame is the one that traces an iteration of it."""
    if frame.f_code.co_name != "aug_body" or frame.f_globals.get("__name__") != LOOPS:
        return ()
    return tuple(frame.f_locals.get("loop_vars", ()))
