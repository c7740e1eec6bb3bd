"""The vocabulary of what was traced, its file format, histories and differences; no TensorFlow.

`graphdoctor.recording.format` is the vocabulary, in the standard library alone. The names here are loaded
when they are asked for: the observer imports the format inside programs that have no other library of ours.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphdoctor.recording.format import Argument, Trace
    from graphdoctor.recording.history import History, Retrace, histories
    from graphdoctor.recording.reader import find_recordings, read_recording, read_recordings, recordings_in
    from graphdoctor.recording.recording import Recording
    from graphdoctor.recording.selection import Selection

_HOMES = {
    "Argument": "format",
    "History": "history",
    "Recording": "recording",
    "Retrace": "history",
    "Selection": "selection",
    "Trace": "format",
    "find_recordings": "reader",
    "histories": "history",
    "read_recording": "reader",
    "read_recordings": "reader",
    "recordings_in": "reader",
}
__all__ = [
    "Argument",
    "History",
    "Recording",
    "Retrace",
    "Selection",
    "Trace",
    "find_recordings",
    "histories",
    "read_recording",
    "read_recordings",
    "recordings_in",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
