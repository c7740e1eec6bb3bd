"""Marks the steps of a training in time, and ends the program after some of them.

It runs in copies of a program that `graphdoctor tune` made, whose loops call `_graphdoctor_step`.
"""

import builtins
import contextlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.stepping import tensorflow_internals as internals
from graphdoctor.observer.tensorflow_internals import code_of, executing_eagerly
from graphdoctor.observer.user_code.ownership import is_library

# What the copies call at the begin of each iteration, and before the loop.
MARK, EPOCH = "_graphdoctor_step", "_graphdoctor_epoch"
FIT, TAPE, CALL = "fit", "tape", "call"
LATER = 3  # the stack is taken when a step is asked for again: the first may be a trial


class Stepping:
    """Counts steps; the clock of each mark, with the number of steps done by then."""

    def __init__(self, file: str, steps: int, scouts: bool) -> None:
        self._file, self._steps, self._scouts = file, steps, scouts
        self._marks: list[tuple[int, float]] = []
        self._iterations = 0
        self._epochs: list[int] = []
        self._counts: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._stacks: dict[str, list[tuple[str, int, str]]] = {}

    def marked(self) -> None:
        """An iteration begins: so many are done."""
        self._reached(self._iterations)
        self._iterations += 1

    def epoch_begun(self) -> None:
        """The loop begins, or an epoch of `fit`."""
        self._epochs.append(max(self._iterations, self._marks[-1][0] if self._marks else 0))

    def fit_begun(self) -> None:
        """`fit` begins: the clock of the first step, which holds the trace, starts here."""
        if not self._marks:
            self._marks.append((0, time.perf_counter()))

    def batches_done(self, number: int) -> None:
        """So many batches of `fit` are done."""
        if self._scouts:
            self._asked(FIT, _stack)
        elif not self._iterations:
            self._reached(number)

    def tape_asked(self) -> None:
        """A tape was asked for gradients."""
        if executing_eagerly():
            self._asked(TAPE, _stack)

    def called(self, function: Any, seconds: float) -> None:
        """A graph function was called by eager code."""
        code = code_of(function)
        if code is None or is_library(code.co_filename) or not executing_eagerly():
            return
        own = (code.co_filename, code.co_firstlineno, code.co_name)
        key = f"{CALL} {code.co_filename}:{code.co_firstlineno}"
        self._seconds[key] = self._seconds.get(key, 0.0) + seconds
        self._asked(key, lambda: [*_stack(), own])

    def _asked(self, kind: str, look: Callable[[], list[tuple[str, int, str]]]) -> None:
        """A step of this kind was asked for; from where, is looked at once."""
        self._counts[kind] += 1
        if self._counts[kind] == min(LATER, self._steps):
            self._stacks[kind] = look()
        if self._counts[kind] >= self._steps:
            raise SystemExit(0)

    def _reached(self, done: int) -> None:
        self._marks.append((done, time.perf_counter()))
        if done >= self._steps:
            raise SystemExit(0)

    def end(self) -> None:
        """Write it all down, once."""
        found = {
            "marks": self._marks,
            "epochs": self._epochs,
            "counts": self._counts,
            "seconds": self._seconds,
            "stacks": self._stacks,
        }
        with contextlib.suppress(OSError), open(self._file, "x", encoding="utf-8") as file:
            json.dump(found, file)


def begin_stepping(settings: dict[str, Any]) -> Stepping:
    """Count the steps of this process. Settings: `file`; `steps` after which it ends; `scouts`: find out from
    where steps are asked for, where no loop of the copy marks them."""
    stepping = Stepping(settings["file"], settings["steps"], settings["scouts"])
    setattr(builtins, MARK, stepping.marked)
    setattr(builtins, EPOCH, stepping.epoch_begun)
    heard = stepping.fit_begun, stepping.epoch_begun, stepping.batches_done
    for name in internals.CALLBACK_LISTS:
        when_imported(name, lambda module: internals.hook_batches(module, *heard))
    if settings["scouts"]:
        when_imported("tensorflow", lambda _: _scout(stepping))
    return stepping


def _scout(stepping: Stepping) -> None:
    internals.hook_tapes(stepping.tape_asked)
    internals.hook_graph_functions(stepping.called)


def _stack() -> list[tuple[str, int, str]]:
    """The user's frames, outermost first."""
    found = []
    frame = sys._getframe(2)
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            found.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back  # type: ignore[assignment]
    return found[::-1]
