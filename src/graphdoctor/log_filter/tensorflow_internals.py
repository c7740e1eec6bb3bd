"""The private name of TensorFlow that its first operation goes through: there it looks at the machine."""

import contextlib
import functools
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

_CONTEXT = "tensorflow.python.eager.context"


def run_first_operation_within(manager: AbstractContextManager[Any]) -> None:
    """Let TensorFlow, already imported, start its runtime within a context; once, then it is as before."""
    context: Any = getattr(sys.modules.get(_CONTEXT), "Context", None)
    original = getattr(context, "ensure_initialized", None)
    if original is None:  # an unknown TensorFlow: better a few lines too many than a failure
        return

    @functools.wraps(original)  # AutoGraph leaves alone what belongs to TensorFlow
    def ensure_initialized(self: Any) -> Any:
        with _once(context, original, ensure_initialized), manager:
            return original(self)

    context.ensure_initialized = ensure_initialized


@contextlib.contextmanager
def _once(context: Any, original: Any, ours: Any) -> Iterator[None]:
    """Take our method away again after its first call: it is called before every operation."""
    try:
        yield
    finally:
        if context.ensure_initialized is ours:
            context.ensure_initialized = original
