"""Exact seconds of what the stepping thread does between a begin and an end, by phase."""

import threading
import time
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.tensorflow_internals import disguise
from graphdoctor.recording.format import CALLBACKS, SAVING, TRACING

# No clock runs: what happens is known from samples alone.
NOTHING = ""
# Keras runs a batch: its length is exact, what it is made of is known from samples. A look that comes late,
# because the batch keeps the processors busy, must not blame what follows it.
STEP = "step"
# What a phase keeps for itself, whatever else begins inside it.
KEEPS = {TRACING: (), SAVING: (), CALLBACKS: (SAVING, TRACING)}


class Clocks:
    """A stack of phases that are under way in one thread, and the seconds of each; calls cost under 1 µs.

    Another thread may read `totals`: what it reads while a phase changes is put right at its next look.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self.thread = threading.main_thread().ident
        self.stack = [NOTHING]
        self.seconds: dict[str, float] = {}
        self.changed = clock()

    def enter(self, phase: str) -> None:
        """A phase begins."""
        now, current = self.clock(), self.stack[-1]
        self.seconds[current] = self.seconds.get(current, 0.0) + now - self.changed
        self.changed = now
        self.stack.append(phase if phase in KEEPS.get(current, (phase,)) else current)

    def leave(self) -> None:
        """The phase that began last is over."""
        now = self.clock()
        current = self.stack.pop() if len(self.stack) > 1 else NOTHING
        self.seconds[current] = self.seconds.get(current, 0.0) + now - self.changed
        self.changed = now

    @property
    def is_idle(self) -> bool:
        """Whether no phase is under way."""
        return self.stack[-1] in (NOTHING, STEP)

    def totals(self) -> dict[str, float]:
        """The seconds of each phase until now."""
        found = dict(self.seconds)
        current = self.stack[-1]
        found[current] = found.get(current, 0.0) + self.clock() - self.changed
        return found

    def timed(self, original: Callable[..., Any], phase: str) -> Callable[..., Any]:
        """The function with a clock of the phase around it, in this thread; no traceback shows it."""
        enter, leave, thread, current = self.enter, self.leave, self.thread, threading.get_ident

        def timed(*arguments: Any, **named: Any) -> Any:
            if current() != thread:
                return original(*arguments, **named)
            enter(phase)
            try:
                return original(*arguments, **named)
            except BaseException as error:
                # A bare `raise` adds no entry for this frame: the traceback is as without us.
                if error.__traceback__ is not None:
                    error.__traceback__ = error.__traceback__.tb_next
                raise
            finally:
                leave()

        return named_like(timed, original)


def named_like(function: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """The function under the name and in the file of the original."""
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(function, name, getattr(original, name, None))
    if hasattr(original, "__code__"):
        function = disguise(function, original)
        # A sample shows the user the function that he called, never ours.
        function.__code__ = function.__code__.replace(co_name=original.__code__.co_name)
    return function
