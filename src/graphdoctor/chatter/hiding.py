"""Let TensorFlow start in this process without a word about itself."""

import atexit
import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from graphdoctor.chatter.filtering import ChatterFilter
from graphdoctor.observer.importing import when_imported

_CONTEXT = "tensorflow.python.eager.context"  # its first operation lets it look at the machine


@functools.cache  # once is enough
def hide_chatter() -> None:
    """From here on TensorFlow's import and its first operation write no chatter to standard error.

    All else that is written meanwhile comes out. Where TF_CPP_MIN_LOG_LEVEL=0 is set, someone wants to
    read the log, and nothing is hidden.
    """
    # Information only: a warning or an error of TensorFlow's is no chatter.
    if os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1") == "0" or "tensorflow" in sys.modules:
        return
    chatter = ChatterFilter()
    atexit.register(chatter.close)
    when_imported("tensorflow", functools.partial(_hide_first_operation, chatter), within=chatter)


def _hide_first_operation(chatter: ChatterFilter, _: ModuleType) -> None:
    context: Any = getattr(sys.modules.get(_CONTEXT), "Context", None)
    original = getattr(context, "ensure_initialized", None)
    if original is None:  # an unknown TensorFlow: better a few lines too many than a failure
        return

    @functools.wraps(original)  # AutoGraph leaves alone what belongs to TensorFlow
    def ensure_initialized(self: Any) -> Any:
        with _once(context, original, ensure_initialized), chatter:
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
