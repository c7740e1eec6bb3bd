"""The one call by which a session starts the account of its time."""

import functools
import os
import sys
import threading
import types
from collections.abc import Callable, Iterable
from typing import Any

from graphdoctor.observer import tensorflow_internals as tensorflow
from graphdoctor.observer.instrumentation import hooks
from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.process.memory import resident_bytes
from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.observer.timing.account import Account
from graphdoctor.observer.timing.classify import Line, Sample
from graphdoctor.observer.timing.clocks import Clocks, named_like
from graphdoctor.observer.timing.first_calls import FirstCalls
from graphdoctor.observer.timing.graph_calls import GraphCalls
from graphdoctor.observer.timing.holdings import Holdings
from graphdoctor.observer.timing.keras_steps import KerasSteps
from graphdoctor.observer.timing.other_threads import OtherThreads
from graphdoctor.observer.timing.pipelines import Pipelines
from graphdoctor.observer.timing.process import Processors
from graphdoctor.observer.timing.profile_window import ProfileWindow
from graphdoctor.observer.timing.sampler import Sampler
from graphdoctor.observer.timing.steps import StepCounter
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.recording.format import CALLBACKS, INPUT, SAVING, START, Memory, Phase, Unaccounted

Emit = Callable[[Any], None]
CROWDED = "several threads ran Python at once: lines of other Python and eager operations are less exact"


class Timing:
    """The account of this process, from the import of TensorFlow on; it never raises into the program."""

    def __init__(self, emit: Emit, process_begun: float) -> None:
        self._emit_event, self._reported = emit, set[str]()
        self._process = os.getpid()
        self.clocks = Clocks()
        self._process_begun, self._zero = process_begun, self.clocks.clock()
        self._account = Account(self.clocks, self._zero, self._emit)
        self._steps = StepCounter(self.clocks.clock)
        self._calls = GraphCalls(self._steps)
        self._window = ProfileWindow(
            self.clocks, self._zero, lambda: self._account.graph_seconds, self._emit, self._missing
        )
        self._sampler = Sampler(self.clocks.thread or 0, self._taken, self.clocks.clock)
        self._others = OtherThreads()
        self._processors = Processors(self.clocks.clock)
        self._holdings = Holdings(self.clocks.clock)
        self._undo: list[Callable[[], None]] = []
        self._first_steps = 0
        self._ended = self._is_imported = False

    def start(self) -> None:
        """TensorFlow is about to be imported: look from now on, and hook what comes."""
        self._emit_start()
        self._sampler.start()
        self._when(internals.ITERATORS, functools.partial(self._time, internals.iterator_methods, INPUT))
        self._when(internals.ITERATORS, self._hook_next)
        self._when(internals.ITERATORS, Pipelines(self._emit).hook)
        self._when(internals.CHECKPOINTS, functools.partial(self._time, internals.checkpoint_methods, SAVING))
        self._when(internals.KERAS_SAVING, functools.partial(self._time, internals.saving_functions, SAVING))
        self._when(
            internals.SAVED_MODELS, functools.partial(self._time, internals.saved_model_functions, SAVING)
        )
        for name in internals.CALLBACK_LISTS:
            self._when(name, functools.partial(self._time, internals.callback_methods, CALLBACKS))
            self._when(name, KerasSteps(self._steps, self._window, self.clocks).hook)
        self._when(internals.TRAINERS, self._hook_batches)
        self._when(internals.TAPES, self._hook_tapes)
        self._when(internals.PROFILER, self._hook_profiler)
        self._when("tensorflow", self._imported)

    def seconds(self) -> float:
        """How long it has been at work."""
        return round(self.clocks.clock() - self._zero, 6)

    def listen(self, number: Callable[[], int]) -> None:
        """Hear of traces, whose number can be asked for; after the recorder, whose own work is no part."""
        first_calls = FirstCalls(self.clocks, self._zero, self._emit, number, self._calls)
        self._undo.append(hooks.attach(first_calls))

    def end(self) -> None:
        """The program is over: tell what is left, and leave everything as it was."""
        if self._ended or os.getpid() != self._process:
            return
        self._ended = True
        self._sampler.stop()
        while self._undo:
            self._undo.pop()()
        try:
            self._window.pause(self.clocks.clock())  # a `fit` that raised does not say that it ended
            if self._is_imported:
                self._calls.look()
            self._tell()
            for device in internals.accelerators():
                self._missing(f"how busy {device} was is not measured")
            if self._sampler.crowded:
                self._missing(CROWDED)
        except Exception as error:
            self._missing(f"{type(error).__name__}: {error}")

    def forked(self) -> None:
        """This is another process, without the thread that looks."""
        self._ended = True

    def _emit(self, event: Any) -> None:
        if os.getpid() == self._process:
            self._emit_event(event)

    def _emit_start(self) -> None:
        seconds = self._zero - self._process_begun
        self._emit(
            Phase(phase=START, seconds=round(seconds, 6), start=round(-seconds, 6), span=round(seconds, 6))
        )

    def _taken(self, sample: Sample, behind: Line | None, seconds: float) -> None:
        if os.getpid() != self._process:
            return
        due = self._account.take(sample, behind, seconds)
        self._others.take(self._sampler.others, seconds)
        if self._is_imported:
            self._calls.look()
        first, self._first_steps = self._first_steps, min(2, self._steps.total)
        # The first steps trace and compile: what comes after them has windows of its own.
        if due or first < self._first_steps:
            self._tell()

    def _tell(self) -> None:
        self._account.tell()
        for other in self._others.events():
            self._emit(other)
        for event in self._steps.events(self._zero):
            self._emit(event)
        self._measure(resident_bytes(), round(self.clocks.clock() - self._zero, 6))

    def _measure(self, resident: int, now: float) -> None:
        busy = self._processors.busy()
        if resident:
            busy = round(busy, 4) if busy is not None else None
            self._emit(Memory(start=now, resident_bytes=resident, busy=busy))
            if self._first_steps > 1 and not self._ended:
                for one in self._holdings.look(resident, now):
                    self._emit(one)

    def _missing(self, reason: str) -> None:
        if reason not in self._reported:
            self._reported.add(reason)
            self._emit(Unaccounted(reason=reason))

    def _when(self, name: str, hook: Callable[[types.ModuleType], Iterable[Callable[[], None]]]) -> None:
        """Hook a module once it is there; what cannot be hooked is left to the samples, and said."""

        def imported(module: types.ModuleType) -> None:
            try:
                self._undo.extend(hook(module))
            except Exception as error:
                self._missing(f"{name} is not as expected ({type(error).__name__}: {error})")

        self._undo.append(when_imported(name, imported))

    def _time(self, methods: Any, phase: str, module: types.ModuleType) -> Iterable[Callable[[], None]]:
        timed = functools.partial(self.clocks.timed, phase=phase)
        return [internals.replace(owner, name, timed) for owner, name in methods(module)]

    def _hook_next(self, module: types.ModuleType) -> Iterable[Callable[[], None]]:
        clocks, steps = self.clocks, self._steps

        def make(original: Any) -> Any:
            timed = clocks.timed(original, INPUT)

            def next_element(iterator: Any) -> Any:
                series = None
                alone = threading.get_ident() == clocks.thread and clocks.is_idle
                if alone and not _is_in_keras(sys._getframe(1)):  # Keras' own steps are counted as such
                    series = steps.step("dataset")
                try:
                    return timed(iterator)
                except BaseException as error:
                    if series is not None:
                        series.leave()  # the end of the data is no step
                    if error.__traceback__ is not None:
                        error.__traceback__ = error.__traceback__.tb_next
                    raise

            return named_like(next_element, original)

        return [internals.replace(*internals.next_method(module), make)]

    def _hook_batches(self, module: types.ModuleType) -> Iterable[Callable[[], None]]:
        return [internals.replace(*internals.batch_method(module), self._stepping("train_on_batch"))]

    def _hook_tapes(self, module: types.ModuleType) -> Iterable[Callable[[], None]]:
        return [internals.replace(*internals.gradient_method(module), self._stepping("tape"))]

    def _stepping(self, kind: str) -> Callable[[Any], Any]:
        """What counts each call in eager code as a step of the line that makes it."""

        def make(original: Any) -> Any:
            def stepping(*arguments: Any, **named: Any) -> Any:
                clocks = self.clocks
                if (
                    threading.get_ident() == clocks.thread
                    and clocks.is_idle
                    and tensorflow.executing_eagerly()
                ):
                    series = self._steps.step(kind)
                    if series is not None and series.count < 2:
                        self._sampler.loops.train(sys._getframe(1))
                try:
                    return original(*arguments, **named)
                except BaseException as error:
                    if error.__traceback__ is not None:
                        error.__traceback__ = error.__traceback__.tb_next
                    raise

            return named_like(stepping, original)

        return make

    def _hook_profiler(self, module: types.ModuleType) -> Iterable[Callable[[], None]]:
        """The program's own profile goes first."""

        def make(original: Any) -> Any:
            def start(*arguments: Any, **named: Any) -> Any:
                self._window.abandon()
                return original(*arguments, **named)

            return named_like(start, original)

        return [internals.replace(module, "start", make)]

    def _imported(self, module: types.ModuleType) -> Iterable[Callable[[], None]]:
        """Only now may another thread ask TensorFlow for anything: it might import what is half imported."""
        self._is_imported = True
        return ()


def _is_in_keras(frame: types.FrameType | None) -> bool:
    """Whether Keras runs the loop: `predict` for one batch, which the program calls."""
    while frame is not None and is_library(frame.f_code.co_filename):
        if internals.is_keras(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False
