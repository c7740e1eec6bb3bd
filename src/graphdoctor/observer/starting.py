"""Wait for TensorFlow, and load the observer only then: a program without it pays next to nothing."""

import atexit
import contextlib
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphdoctor.observer.instrumentation.importing import before_import
from graphdoctor.observer.process.system import resource

if TYPE_CHECKING:
    from graphdoctor.observer.session import Session

# Keras is loaded before the TensorFlow that it runs on, and the observer listens to its optimizers.
AWAITED = ("tensorflow", "keras", "tf_keras")
# The file that says: to its end this process did not import TensorFlow, and its children took so long.
CHILDREN = ".children"


def observe_this_process(settings: dict[str, Any]) -> Callable[[], None]:
    """Record every trace of this process from the moment it imports TensorFlow; returns the ending.

    The ending also runs when the process exits, and does its work once. Settings: `recording` is the
    file (`{pid}` stands for the process); `subprocesses` records forked processes, each in a file of
    its own; `fresh`: the user did not name the file; `launcher` is the process that waits for this one;
    `redact` is the secret key of digests that replace values; `live` silences TensorFlow's
    own warning; `time` accounts for the wall time; `witness` are the settings of a second file, with what
    the program computed, and `stepping` those of a third one, with the steps of its training; installed
    code that a glob of `include` names is the user's, as that of the program is.
    """
    if not settings.get("witness"):
        return _record(settings)
    from graphdoctor.observer.witness.witness import begin_witness

    witness = begin_witness(settings["witness"])
    if settings.get("stepping"):
        from graphdoctor.observer.stepping.stepping import begin_stepping

        atexit.register(begin_stepping(settings["stepping"]).end)
    end = _record(settings) if settings.get("recording") else lambda: None

    def end_both() -> None:
        end()
        witness.end()

    atexit.register(witness.end)
    return end_both


def _record(settings: dict[str, Any]) -> Callable[[], None]:
    waiting = _Waiting({**settings, "begun": time.perf_counter()})
    before_import(AWAITED, waiting.start)
    atexit.register(waiting.end)
    os.register_at_fork(after_in_child=waiting.forked)
    return waiting.end


def _report_end(recording: str) -> None:
    """Leave a file for the launcher, which deletes it: this process ended, and there is no recording."""
    seconds = 0.0
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = used.ru_utime + used.ru_stime
    with contextlib.suppress(FileNotFoundError):
        os.unlink(recording + CHILDREN)
    descriptor = os.open(recording + CHILDREN, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, f"{seconds:.3f}".encode())
    finally:
        os.close(descriptor)


class _Waiting:
    """The session to come."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._session: Session | None = None
        self._wanted = True

    def start(self) -> None:
        """TensorFlow is about to be imported; a fault of ours must not keep the program from it."""
        if self._wanted:
            with contextlib.suppress(Exception):
                from graphdoctor.observer.session import begin_session

                self._session = begin_session(self._settings)

    def end(self) -> None:
        """Write the totals, once; of a process that never got TensorFlow, that it came to its end."""
        if self._session is not None:
            self._session.end()
        if self._session is not None and self._session.has_begun:
            return
        if self._wanted and self._settings.get("launcher") == os.getppid():
            with contextlib.suppress(Exception):
                _report_end(self._settings["recording"].replace("{pid}", str(os.getpid())))

    def forked(self) -> None:
        """This is a new process: it has a recording of its own, or none."""
        self._wanted = bool(self._settings.get("subprocesses"))
        if self._session is not None:
            self._session.forked()
        if self._wanted:
            self._before_worker_exits()

    def _before_worker_exits(self) -> None:
        """Processes that `multiprocessing` forks leave without `atexit`; it has endings of its own."""
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.register_after_fork(self, lambda one: util.Finalize(None, one.end, exitpriority=-100))
