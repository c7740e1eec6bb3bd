"""Observe this process from start to end: what `graphdoctor run` starts inside the program."""

import atexit
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.importing import when_imported
from graphdoctor.observer.recorder import Recorder
from graphdoctor.observer.writer import Writer
from graphdoctor.version import __version__

FORMAT = "graphdoctor-recording"
FORMAT_VERSION = 1


def observe_this_process(settings: dict[str, Any]) -> Callable[[], None]:
    """Record every trace of this process from the moment it imports TensorFlow; returns the ending.

    The ending also runs when the process exits, and does its work once.
    """
    path = settings["recording"].replace("{pid}", str(os.getpid()))
    writer = Writer(path)
    endings: list[Callable[[], None]] = []

    def start(tracing: types.ModuleType) -> None:
        writer.write(header(internals.tensorflow_version()))
        recorder = Recorder(writer.write)
        try:
            internals.install(
                tracing, recorder.begin, recorder.end, recorder.asked_for, recorder.called_with_tracing
            )
        except Exception as error:
            writer.write({"event": "problem", "message": f"Cannot observe this TensorFlow: {error}"})
            return
        endings.append(recorder.close)

    def end() -> None:
        while endings:
            endings.pop()()

    when_imported(internals.TRACING_MODULE, start)
    atexit.register(end)
    return end


def header(tensorflow: str) -> dict[str, Any]:
    """The first line of a recording: what wrote it, and of which program."""
    return {
        "event": "header",
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "graphdoctor": __version__,
        "tensorflow": tensorflow,
        "python": sys.version.split()[0],
        "program": list(sys.orig_argv),
        "directory": os.getcwd(),
        "process": os.getpid(),
        "time": time.time(),
    }
