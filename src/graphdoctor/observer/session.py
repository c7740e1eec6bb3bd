"""The recording of one process, from the import of TensorFlow to the end."""

import contextlib
import dataclasses
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.failures.numerics import observe_numerics
from graphdoctor.observer.gradients.install import observe_gradients
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.process.cluster import host_of, rank_of, worker_of
from graphdoctor.observer.process.redaction import Redactor
from graphdoctor.observer.process.writer import Writer
from graphdoctor.observer.recorder import Recorder
from graphdoctor.observer.timing.install import Timing
from graphdoctor.observer.user_code.ownership import ask_for
from graphdoctor.recording.format import AnyEvent, Header, Problem, encode_event
from graphdoctor.version import __version__

# What a run sees by itself: where it says nothing of these, nothing happened.
SEES = ("trace", "calls", "stale", "escape", "gradient", "failure", "edited-source", "compilations")

# As Keras is published; release candidates of TensorFlow need the nightly one.
KERAS, KERAS_2 = ("keras", "keras-nightly"), ("tf_keras", "tf_keras-nightly")


def begin_session(settings: dict[str, Any]) -> "Session":
    """Record every trace of this process, whose TensorFlow is about to be imported, or already is."""
    session = Session(settings)
    session.account_for_time()
    when_imported(internals.TRACING_MODULE, session.start)
    observe_gradients(session.emit)
    if settings.get("numerics"):
        observe_numerics(session.emit)
    return session


class Session:
    """The recording of this process; a forked process gets one of its own, or none."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        ask_for(tuple(settings.get("include") or ()))
        self._writer = self._new_writer()
        self._recorder: Recorder | None = None
        self._header: Header | None = None
        self._detach: Callable[[], None] | None = None
        self._timing: Timing | None = None
        self.has_begun = False  # TensorFlow may be asked for, and not be there
        self._early: list[AnyEvent] | None = []  # what came before the header
        self._redactor = Redactor(settings["redact"]) if settings.get("redact") else None

    def account_for_time(self) -> None:
        """Begin the account of time where one is asked for: TensorFlow is about to be imported."""
        if self._settings.get("time"):
            self._timing = Timing(self._emit_timed, self._settings.get("begun") or time.perf_counter())
            self._timing.start()

    def start(self, tracing: types.ModuleType) -> None:
        """TensorFlow is there: begin to record."""
        self.has_begun = True
        try:
            self._header = self._new_header()
            if self._timing is not None:
                self._header = dataclasses.replace(self._header, accounted=self._timing.seconds())
            self._flush_header()
            early, self._early = self._early or (), None
            for event in early:
                self._write(event)
            if self._settings.get("live"):
                internals.silence_retracing_warning()
            self._listen()
        except Exception as error:
            message = f"cannot observe this TensorFlow: {type(error).__name__}: {error}"
            self._write(Problem(message=message))

    def end(self) -> None:
        """Write the totals, once."""
        recorder, self._recorder = self._recorder, None
        timing, self._timing = self._timing, None
        if timing is not None:
            timing.end()
        if recorder is not None and self._header is None:
            recorder.close()

    def forked(self) -> None:
        """This is a new process: never write into its parent's recording."""
        self._writer.close()
        if self._timing is not None:
            self._timing.forked()
        self._timing = None
        recorder, self._recorder = self._recorder, None
        if recorder is not None and self._detach is not None:
            self._detach()
            recorder.pause()
        if self._settings.get("subprocesses"):
            self._writer = self._new_writer()
            if recorder is not None:
                self._header = self._new_header()  # written when it first traces
                self._listen()

    def _listen(self) -> None:
        self._recorder = Recorder(self.emit, calls=bool(self._settings.get("calls")))
        self._detach = hooks.attach(self._recorder)
        if self._timing is not None:
            self._timing.listen(self._recorder.under_way)

    def _new_header(self) -> Header:
        settings = self._settings
        return header(
            internals.tensorflow_version(),
            calls=bool(settings.get("calls")),
            numerics=bool(settings.get("numerics")),
        )

    def _new_writer(self) -> Writer:
        path = self._settings["recording"].replace("{pid}", str(os.getpid()))
        settings = self._settings
        return Writer(path, exclusive=bool(settings.get("subprocesses")), fresh=bool(settings.get("fresh")))

    def _emit_timed(self, event: AnyEvent) -> None:
        """Write an event of the account, or keep it until the header is there."""
        early = self._early
        if early is not None:
            early.append(event)
        else:
            self.emit(event)

    def emit(self, event: AnyEvent) -> None:
        """Write one event, after the header if that is still to come."""
        self._flush_header()
        self._write(event)

    def _flush_header(self) -> None:
        written, self._header = self._header, None
        if written is not None:
            self._write(written)

    def _write(self, event: AnyEvent) -> None:
        line = encode_event(event)
        self._writer.write(line if self._redactor is None else self._redactor.redact(line))


def header(tensorflow: str, *, calls: bool = False, numerics: bool = False) -> Header:
    """The first line of a recording: what wrote it, what it can see, and of which program."""
    return Header(
        sees=(*SEES, *(("shared-trace",) if calls else ()), *(("non-finite",) if numerics else ())),
        graphdoctor=__version__,
        tensorflow=tensorflow,
        keras=_keras_version(),
        python=sys.version.split()[0],
        program=tuple(sys.orig_argv),
        directory=os.getcwd(),
        process=os.getpid(),
        parent=os.getppid(),
        worker=worker_of(),
        rank=rank_of(),
        host=host_of(),
        time=time.time(),
    )


def _keras_version() -> str:
    """The version of the Keras that `tf.keras` is, empty where unknown."""
    from importlib import metadata

    legacy = os.environ.get("TF_USE_LEGACY_KERAS", "").lower() in ("1", "true")
    for distribution in KERAS_2 if legacy else KERAS:
        with contextlib.suppress(metadata.PackageNotFoundError):
            return metadata.version(distribution)
    return ""
