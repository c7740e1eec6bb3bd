"""The user's own line behind a frame of the running program."""

import dataclasses
from types import FrameType
from typing import Any

from graphdoctor.observer.gradients.operations import CodeLine
from graphdoctor.observer.tensorflow_internals import stack
from graphdoctor.observer.user_code.ownership import OWN_PACKAGE, is_library

GENERATED = "__autograph_generated_file"
BETWEEN = ("/eager/backprop.py", "/contextlib.py", "/autograph/impl/api.py", "/util/traceback_utils.py")
WRAPPERS = ("traceback_utils.py", "dispatch.py", "tf_decorator.py", "deprecation.py")


def user_frame(frame: FrameType | None) -> tuple[FrameType | None, str]:
    """The innermost frame of the user's code from here outwards, and the library function it called."""
    entered = ""
    while frame is not None and is_library(frame.f_code.co_filename):
        if not frame.f_code.co_filename.endswith(WRAPPERS):
            entered = frame.f_code.co_name
        frame = frame.f_back
    return frame, entered


@dataclasses.dataclass(frozen=True)
class Here:
    """Where the program is: the user's line, the library function it called, and the frame with its names."""

    place: CodeLine | None
    entered: str
    frame: FrameType | None


def here(frame: FrameType, eager: bool) -> Here:
    """Where a hook was called from; AutoGraph's generated code is mapped back to the user's."""
    user, entered = user_frame(frame)
    if eager:
        return Here(place_of(user), entered, user)
    names: FrameType | None = frame
    while names is not None and names is not user and GENERATED not in names.f_code.co_filename:
        names = names.f_back
    entered, place = "", None
    for traced in reversed(stack()):
        if not is_library(traced.filename):
            place = (traced.filename, traced.lineno, traced.name)
            break
        if not traced.filename.endswith((*WRAPPERS, *BETWEEN)) and OWN_PACKAGE not in traced.filename:
            entered = traced.name
    return Here(place, entered, names)


def site_of(frame: FrameType | None) -> object:
    """Which line of code this is, whoever it belongs to: a `with` statement, or the call of a method."""
    while frame is not None and frame.f_code.co_filename.endswith(BETWEEN):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None


def place_of(frame: FrameType | None) -> CodeLine | None:
    """File, line and function of a frame."""
    if frame is None:
        return None
    return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name


def place_in_graph(operation: Any) -> CodeLine | None:
    """The innermost line of the user's code that made an operation of a graph."""
    for frame in reversed(list(operation.traceback)):
        if not is_library(frame.filename):
            return frame.filename, frame.lineno, frame.name
    return None
