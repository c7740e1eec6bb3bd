"""Where in the user's own code something happened."""

import dataclasses
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.user_code.ownership import GENERATED_FILE, OWN_PACKAGE, is_library
from graphdoctor.recording.format import Frame, Place

# What TensorFlow and Keras put between a user's call and the function he called.
WRAPPERS = {"error_handler", "op_dispatch_handler", "new_func", "wrapper", "_decorated", "tf_method_wrapper"}
GRAPH_FUNCTION = "/polymorphic_function/polymorphic_function.py"  # where tf.function's objects are defined
# Between two frames of the user's these are no library that he called: his call is traced, or converted.
TRACING = ("/polymorphic_function/", "/autograph/", "/core/function/", "/framework/func_graph.py")
# What AutoGraph calls the code that it made of a lambda.
NAMELESS = ("", "None")


class _PythonFrame(NamedTuple):
    """A frame as Python keeps it, under the names that TensorFlow gives to its parts."""

    filename: str
    lineno: int
    name: str


def nearest_frames() -> list[Any]:
    """The stack from the innermost frame of the user's inwards, outermost first.

    To ask TensorFlow for the stack costs many times as much; only it can map what AutoGraph generated.
    """
    frames: list[Any] = []
    frame = sys._getframe(1)
    while frame is not None:
        path = frame.f_code.co_filename
        if GENERATED_FILE in path:
            return internals.stack()
        frames.append(_PythonFrame(path, frame.f_lineno, frame.f_code.co_name))
        if not is_library(path):
            break
        frame = frame.f_back  # type: ignore[assignment]
    return frames[::-1]


def calls_graph_function(frames: Iterable[Any]) -> bool:
    """Whether the innermost line of the user's calls a graph function itself, not through a library."""
    entered = None
    for frame in reversed(list(frames)):
        if not is_library(frame.filename):
            return entered is not None and entered.filename.replace("\\", "/").endswith(GRAPH_FUNCTION)
        if frame.name not in WRAPPERS:
            entered = frame
    return False


def call_site(frames: Iterable[Any]) -> tuple[Frame, ...]:
    """The innermost frame of the user's code, and the library function it called, as a chain."""
    entered = ""
    for frame in reversed(list(frames)):
        if not is_library(frame.filename):
            return chain_at(frame.filename, frame.lineno, frame.name, entered)
        if frame.name not in WRAPPERS and not frame.filename.startswith(OWN_PACKAGE):
            entered = frame.name
    return ()


def chain_of(frames: Iterable[Any]) -> tuple[Frame, ...]:
    """The user's whole chain of frames, outermost first.

    AutoGraph makes functions of the bodies of loops and branches: these are no frames of their own.
    """
    chain: list[Frame] = []
    entered, operator = "", False
    for frame in frames:
        path = frame.filename.replace("\\", "/")
        if not is_library(path):
            (inner,) = chain_at(frame.filename, frame.lineno, frame.name)
            if chain and operator and _is_same_function(chain[-1], inner):
                chain.pop()
            elif chain and entered:
                chain[-1] = dataclasses.replace(chain[-1], entered=entered)
            chain.append(inner)
            entered, operator = "", False
        elif "/autograph/" in path:
            operator = operator or "/autograph/operators/" in path
        elif not entered and frame.name not in WRAPPERS and not any(mark in path for mark in TRACING):
            entered = frame.name
    return tuple(chain)


def _is_same_function(one: Frame, other: Frame) -> bool:
    return (one.function, one.place.path) == (other.function, other.place.path)


def chain_at(path: str, line: int | None, function: str, entered: str = "") -> tuple[Frame, ...]:
    """The chain of which only the innermost frame is known."""
    name = "<lambda>" if function in NAMELESS else function
    return (Frame(function=name, place=Place(path=path, line=line or 0), entered=entered),)
