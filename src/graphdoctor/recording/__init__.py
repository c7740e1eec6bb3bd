"""Recording → facts, without TensorFlow: the file format, differences between traces, histories."""

from graphdoctor.recording.events import Argument, Site, Trace
from graphdoctor.recording.history import History, Retrace, histories
from graphdoctor.recording.notes import EditedSource, Leak, Note, SharedTrace, Stale
from graphdoctor.recording.reader import Recording, read_recording

__all__ = [
    "Argument",
    "EditedSource",
    "History",
    "Leak",
    "Note",
    "Recording",
    "Retrace",
    "SharedTrace",
    "Site",
    "Stale",
    "Trace",
    "histories",
    "read_recording",
]
