"""A function of ours in the place of one of TensorFlow's, and no trace of it in what the user reads."""

from collections.abc import Callable
from typing import Any


def disguise(function: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """The function as if it stood where the original stands.

    TensorFlow takes its own frames out of the tracebacks a user sees, by file name; ours must go too.
    For the same reason the hook runs the trace itself, and does not call a function of ours to do it.
    """
    code = original.__code__
    function.__code__ = function.__code__.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    return function
