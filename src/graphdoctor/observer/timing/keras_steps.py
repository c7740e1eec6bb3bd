"""The steps of `fit`, `evaluate` and `predict`, as Keras tells its callbacks."""

import sys
import threading
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.observer.timing.clocks import STEP, Clocks, named_like
from graphdoctor.observer.timing.profile_window import ProfileWindow
from graphdoctor.observer.timing.steps import Series, StepCounter

KINDS = {"train": "fit", "test": "evaluate", "predict": "predict"}


class KerasSteps:
    """Hears of each batch: a step lasts until the next one begins, evaluations apart."""

    def __init__(self, steps: StepCounter, window: ProfileWindow, clocks: Clocks) -> None:
        self._steps, self._window, self._clocks = steps, window, clocks
        self._under_way: dict[str, Series | None] = {}
        self._done: set[str] = set()
        self._runs_batch = False

    def hook(self, module: Any) -> list[Callable[[], None]]:
        """Hear of the beginnings and ends of batches, of epochs and of the whole."""
        undoing = []
        for word, kind in KINDS.items():
            for name, heard in (
                (f"on_{word}_begin", self._begin),
                (f"on_{word}_batch_begin", self._batch),
                (f"on_{word}_batch_end", self._batch_end),
                (f"on_{word}_end", self._end),
            ):
                make = self._hearing(heard, kind, before_batch=heard == self._batch)
                undoing.append(internals.replace(module.CallbackList, name, make))
        undoing.append(
            internals.replace(module.CallbackList, "on_epoch_end", self._hearing(self._pause, "fit"))
        )
        return undoing

    def _hearing(
        self, heard: Callable[[str, Any], None], kind: str, before_batch: bool = False
    ) -> Callable[[Any], Any]:
        def make(original: Any) -> Any:
            def hearing(callbacks: Any, *arguments: Any, **named: Any) -> Any:
                timed = threading.get_ident() == self._clocks.thread
                if timed:
                    self._leave_batch()
                    try:
                        heard(kind, callbacks)
                    except Exception:  # a step that is not counted
                        self._under_way[kind] = None
                try:
                    given = original(callbacks, *arguments, **named)
                    if timed and before_batch:
                        self._runs_batch = True
                        self._clocks.enter(STEP)
                    return given
                except BaseException as error:
                    if error.__traceback__ is not None:
                        error.__traceback__ = error.__traceback__.tb_next
                    raise

            return named_like(hearing, original)

        return make

    def _leave_batch(self) -> None:
        """Keras is done with the batch, or an exception ended it."""
        if self._runs_batch:
            self._runs_batch = False
            self._clocks.leave()

    def _begin(self, kind: str, callbacks: Any) -> None:
        if kind == "evaluate":  # inside `fit` it is no part of the last step before it
            self._pause("fit", callbacks)
        series = self._under_way[kind] = self._steps.at(kind, sys._getframe(1))
        if series is not None:
            series.per_execution = internals.steps_per_execution(callbacks)

    def _batch(self, kind: str, callbacks: Any) -> None:
        series = self._under_way.get(kind)
        self._done.discard(kind)
        if series is not None:
            series.begin(self._clocks.clock())

    def _batch_end(self, kind: str, callbacks: Any) -> None:
        """A batch is done, its callbacks are to come."""
        series = self._under_way.get(kind)
        self._done.add(kind)
        if kind == "fit" and series is not None:
            self._window.stepped(series.line, self._clocks.clock())

    def _pause(self, kind: str, callbacks: Any) -> None:
        """The callbacks of the epoch are no part of its last step."""
        self._over(kind, self._under_way.get(kind))
        self._window.pause(self._clocks.clock())

    def _end(self, kind: str, callbacks: Any) -> None:
        self._over(kind, self._under_way.pop(kind, None))
        if kind == "fit":
            self._window.pause(self._clocks.clock())

    def _over(self, kind: str, series: Series | None) -> None:
        """The last step ended with its batch; one that found no more data is none."""
        if series is not None and kind in self._done:
            series.end(self._clocks.clock())
        elif series is not None:
            series.leave()
