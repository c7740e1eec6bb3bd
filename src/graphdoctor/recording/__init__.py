"""Recording → facts, without TensorFlow: the file format, differences between traces, histories."""

from graphdoctor.recording.events import Argument, Site, Trace
from graphdoctor.recording.history import History, Retrace, histories
from graphdoctor.recording.notes import EditedSource, Leak, Note, SharedTrace, Stale
from graphdoctor.recording.reader import Recording, find_recordings, read_recording, recordings_in
from graphdoctor.recording.selection import Selection

__all__ = [
    "Argument",
    "EditedSource",
    "History",
    "Leak",
    "Note",
    "Recording",
    "Retrace",
    "Selection",
    "SharedTrace",
    "Site",
    "Stale",
    "Trace",
    "find_recordings",
    "histories",
    "read_recording",
    "recordings_in",
]
