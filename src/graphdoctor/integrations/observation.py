"""`graphdoctor.observe()`: the report of a part of a program, from inside it."""

import contextlib
import dataclasses
import os
import pathlib
import tempfile
import threading
import types
import weakref

from graphdoctor.config import load_config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report, RunSummary
from graphdoctor.observer import tensorflow_internals as internals
from graphdoctor.observer.failures.errors import describe_error
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.probe import Emit
from graphdoctor.observer.process.writer import Writer
from graphdoctor.observer.recorder import Recorder
from graphdoctor.observer.session import header
from graphdoctor.recording import Recording, Selection, read_recording
from graphdoctor.recording.format import AnyEvent, Failure, Trace, encode_event
from graphdoctor.version import __version__


class _Recorder(Recorder):
    """Tells of the exception that ended the block, and of no other that this process ever saw."""

    def __init__(self, emit: Emit) -> None:
        super().__init__(lambda event: None if _is_crash(event) else emit(event))
        self._tell = emit

    def crashed(self, error: Exception) -> None:
        """The block ended with this."""
        self._guard(lambda: self._tell(describe_error(error)))


def _is_crash(event: AnyEvent) -> bool:
    return isinstance(event, Failure) and not event.trace


class Observation(contextlib.ContextDecorator):
    """Hears of every trace in this process, in all threads, while it is on.

    It can be switched on and off as often as you like, and be entered while it is on; `report()`
    covers all that was heard, also in the middle of it. An exception in the block passes through.
    """

    def __init__(
        self,
        *,
        recording: str | None = None,
        include: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
        warmup: int = 0,
    ) -> None:
        self.during = ""  # the test that runs
        self._selection = Selection(include=tuple(include), exclude=tuple(exclude), warmup=warmup)
        self._path = os.path.abspath(recording) if recording else _temporary_file(self)
        self._writer = Writer(self._path)
        self._lock = threading.RLock()
        self._depth = 0
        self._recorder: _Recorder | None = None
        self._listening = contextlib.ExitStack()
        _observations.add(self)

    def start(self) -> "Observation":
        """Begin to listen, or go on listening."""
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._listening.callback(when_imported(internals.TRACING_MODULE, self._listen))
        return self

    def stop(self) -> None:
        """Stop listening, unless it was started more often than stopped."""
        with self._lock:
            if self._depth == 0:
                return
            self._depth -= 1
            if self._depth == 0:
                self._listening.close()
                if self._recorder is not None:
                    self._recorder.pause()

    def __enter__(self) -> "Observation":
        return self.start()

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        if isinstance(error, Exception) and self._recorder is not None:
            self._recorder.crashed(error)
        self.stop()

    def report(self) -> Report:
        """What was traced, why again, and what it cost: the same object that `graphdoctor run` writes."""
        recording = self.recording()
        if recording is None:
            return Report(graphdoctor=__version__, run=RunSummary(seconds=0.0, traces=0, tracing_seconds=0.0))
        return judge_recordings((recording,), load_config(pathlib.Path.cwd()), self._selection)

    def _repr_html_(self) -> str:
        """The report so far, for a notebook."""
        from graphdoctor.integrations.shown import ShownReport

        return ShownReport(self.report(), load_config(pathlib.Path.cwd()))._repr_html_()

    def recording(self) -> Recording | None:
        """All that was heard so far; None when TensorFlow was not imported yet."""
        with self._lock:
            if self._recorder is None:
                return None
            self._recorder.close()
            return read_recording(self._path)

    def _listen(self, _: types.ModuleType) -> None:
        if self._recorder is None:
            self._write(header(internals.tensorflow_version()))
            self._recorder = _Recorder(self._write)
        else:
            self._recorder.resume()
        self._listening.callback(hooks.attach(self._recorder))

    def _write(self, event: AnyEvent) -> None:
        if self.during and isinstance(event, Trace):
            event = dataclasses.replace(event, during=self.during)
        self._writer.write(encode_event(event))

    def _forked(self) -> None:
        """A forked process must not write into its parent's recording."""
        self._writer.close()


def observe(
    *,
    recording: str | None = None,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
    warmup: int = 0,
) -> Observation:
    """An observation: `with observe() as observation:`, `@observe()`, or `start()` and `stop()`.

    Args:
        recording: a file to record into, for `graphdoctor report`; none is left behind without it.
        include: globs of the files whose functions are reported; empty means all.
        exclude: globs of the files whose functions are not reported.
        warmup: the first traces of each function, which do not count.
    """
    return Observation(recording=recording, include=include, exclude=exclude, warmup=warmup)


def _temporary_file(observation: Observation) -> str:
    descriptor, path = tempfile.mkstemp(prefix="graphdoctor-", suffix=".jsonl")
    os.close(descriptor)
    weakref.finalize(observation, _remove, path, os.getpid())
    return path


def _remove(path: str, process: int) -> None:
    if os.getpid() == process:  # a forked process leaves its parent's file alone
        with contextlib.suppress(OSError):
            os.unlink(path)


_observations: "weakref.WeakSet[Observation]" = weakref.WeakSet()


def _after_fork() -> None:
    for observation in list(_observations):
        observation._forked()


os.register_at_fork(after_in_child=_after_fork)
