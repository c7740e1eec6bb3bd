"""Writes down what graph functions returned and what variables held in the end, one JSON object per line."""

import contextlib
import json
import os
import threading
from collections import Counter
from typing import Any

from graphdoctor.observer.instrumentation.importing import when_imported
from graphdoctor.observer.tensorflow_internals import code_of, executing_eagerly
from graphdoctor.observer.user_code.ownership import is_library
from graphdoctor.observer.witness import tensorflow_internals as internals
from graphdoctor.observer.witness.clocks import hasten_clocks
from graphdoctor.observer.witness.doings import listen_to_doings, listen_to_prints
from graphdoctor.observer.witness.gradients import Gradients
from graphdoctor.observer.witness.moving import move_imports
from graphdoctor.observer.witness.pinning import pin_draws
from graphdoctor.observer.witness.seeding import seed_everything
from graphdoctor.observer.witness.values import value_of

FIRST_CALLS = 16  # of each function are written down, then the 32nd, 64th, 128th…
MOST_BYTES = 64 * 2**20  # of variables whose last values are kept


class Witness:
    """Hears of each call of a graph function from eager code, and of each new variable."""

    def __init__(self, file: str, moved: Any = None) -> None:
        self._file = open(file, "a", encoding="utf-8", buffering=1)  # noqa: SIM115 (as long as the process)
        self._process = os.getpid()
        self._calls: Counter[str] = Counter()
        self._variables: list[tuple[str, Any]] = []
        self._bytes = 0
        self._thread = threading.local()
        self.gradients = Gradients(self.write, self._variables, moved)

    def write(self, **fields: Any) -> None:
        """One line; a process that was forked from this one writes none."""
        if os.getpid() == self._process:
            with contextlib.suppress(Exception):
                self._file.write(json.dumps(fields) + "\n")

    def entered(self) -> bool:
        """A graph function is called; whether this is the outermost call, by eager code."""
        depth = self._thread.depth = getattr(self._thread, "depth", 0) + 1
        return bool(depth == 1 and executing_eagerly())

    def left(self, function: Any, outermost: bool, result: Any, error: BaseException | None) -> None:
        """That call ended."""
        self._thread.depth -= 1
        if not outermost:
            return
        with contextlib.suppress(Exception):
            code = code_of(internals.python_function(function))
            if code is None or is_library(code.co_filename):
                return
            self._calls[code.co_name] += 1
            number = self._calls[code.co_name]
            if number <= FIRST_CALLS or number & (number - 1) == 0:
                leaves = [value_of(leaf) for leaf in internals.flatten(result)] if error is None else []
                failed = type(error).__name__ if error is not None else None
                self.write(kind="call", name=code.co_name, number=number, leaves=leaves, error=failed)

    def made(self, variable: Any) -> None:
        """A variable was made; its handle alone is kept, which holds the content and not the object."""
        with contextlib.suppress(Exception):
            held = internals.Held.of(variable)
            if held is not None and self._bytes + held.size_bytes <= MOST_BYTES:
                self._bytes += held.size_bytes
                self._variables.append((held.name, held))
                self.gradients.made()

    def end(self) -> None:
        """Write what the variables hold now, and how often each function was called."""
        variables = list(self._variables)
        self._variables.clear()
        for number, (name, held) in enumerate(variables):
            with contextlib.suppress(Exception):
                self.write(kind="variable", name=name, number=number, leaves=[value_of(held.read())])
        self.write(kind="end", calls=dict(self._calls))


def begin_witness(settings: dict[str, Any]) -> Witness:
    """Witness this process. Settings: `file`; `seed` for random numbers, `shift` is added to those that the
    program gives itself; `eager` runs graph functions as Python; `moved` are the old and new directory of
    the program; `owned` are the directories in which it may write; `sources` are those of a tape that are to
    be moved; `hastened`: clocks run faster; `pinned`: draws depend on their shape alone; `variables_only`:
    nothing is heard of calls, which takes time."""
    witness = Witness(settings["file"], settings.get("sources"))
    if settings.get("hastened"):
        hasten_clocks()
    if settings.get("moved"):
        move_imports(*settings["moved"])
    listen_to_doings(witness.write, settings.get("owned") or ())
    seed_everything(settings["seed"], settings.get("shift", 0))

    def start(tensorflow: Any) -> None:
        if settings.get("pinned"):
            pin_draws(tensorflow)
        with contextlib.suppress(Exception):
            internals.hook_variables(witness.made)
            if settings.get("variables_only"):
                return
            internals.hook_calls(witness.entered, witness.left)
            tapes = witness.gradients
            internals.hook_tapes(tapes.opened, tapes.watched, tapes.gave, tapes.stopped, tensorflow)
            listen_to_prints(witness.write, tapes.printed)
        if settings.get("eager"):
            tensorflow.config.run_functions_eagerly(True)
            tensorflow.data.experimental.enable_debug_mode()  # the functions of pipelines, too

    when_imported("tensorflow", start)
    return witness
