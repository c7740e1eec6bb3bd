"""Recording → facts, without TensorFlow: the file format, differences between traces, histories."""

from graphdoctor.recording.events import Argument, Site, Trace
from graphdoctor.recording.history import History, Retrace, histories
from graphdoctor.recording.reader import Recording, read_recording

__all__ = [
    "Argument",
    "History",
    "Recording",
    "Retrace",
    "Site",
    "Trace",
    "histories",
    "read_recording",
]
