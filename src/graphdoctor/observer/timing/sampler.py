"""A thread that looks at what the program's threads do, many times a second."""

import _thread
import random
import sys
import time
import types
from collections.abc import Callable

from graphdoctor.observer.timing.classify import LEAVING, Line, Sample, classify
from graphdoctor.observer.timing.loops import Loops
from graphdoctor.recording.format import EAGER_OPERATIONS, GRAPH_EXECUTION, IMPORT, INPUT, OTHER_PYTHON

USUAL_PERIOD, IMPORT_PERIOD = 0.01, 0.05
# A thread that wants to look waits for so long until Python lets it: with the usual 5 ms it is let in where
# TensorFlow releases the lock, and would blame the Python before on the operation after it.
SWITCH_INTERVAL = 20e-6
# With so many looks that found another thread at work in Python beside the stepping one, threads would
# take the lock from each other all the time.
CROWD, CROWDED = 200, 0.3
# What Keras goes through its input in.
KERAS_LOOPS = ("fit", "evaluate", "predict")

Taken = Callable[[Sample, "Line | None", float], None]


class Sampler:
    """Hands each look at the stepping thread to `taken(sample, line behind it, seconds)`."""

    def __init__(self, stepping: int, taken: Taken, clock: Callable[[], float] = time.perf_counter) -> None:
        self._stepping, self._taken, self._clock = stepping, taken, clock
        self._stopped = False
        self._done = _thread.allocate_lock()
        self._interval: float | None = None
        self._looks = self._busy = 0
        self.crowded = False
        self.loops = Loops()
        self._goes_through_input: dict[tuple[str, int], str] = {}
        self.others: dict[int, Sample] = {}  # what the other threads were at, when it looked last

    def start(self) -> None:
        """Begin to look; the thread is none that the program's `threading` knows of."""
        self._done.acquire()
        _thread.start_new_thread(self._run, ())

    def stop(self) -> None:
        """Look no more, and leave the interpreter as it was."""
        self._stopped = True
        if self._done.acquire(timeout=1.0):
            self._done.release()

    def _run(self) -> None:
        try:
            self._look_often()
        except Exception:  # a fault of ours ends the account, never the program
            self._stopped = True
        finally:
            self._switch(fast=False)
            self._done.release()

    def _look_often(self) -> None:
        own, vary = _thread.get_ident(), random.Random(1).uniform
        last, period = self._clock(), IMPORT_PERIOD
        while not self._stopped:
            time.sleep(period * vary(0.7, 1.3))  # no beat with the program's own period
            now = self._clock()
            frames = sys._current_frames()
            frames.pop(own, None)
            sample, behind = self._look(frames, now - last)
            del frames
            self._taken(sample, behind, now - last)
            last = now
            importing = sample.phase == IMPORT
            period = IMPORT_PERIOD if importing else USUAL_PERIOD
            self._switch(fast=not importing and not self.crowded)

    def _look(self, frames: dict[int, types.FrameType], seconds: float) -> tuple[Sample, Line | None]:
        sample = self._stepping_sample(frames.pop(self._stepping, None))
        self.others = {}
        if not frames:
            return sample, None
        found = {thread: classify(frame) for thread, frame in frames.items()}
        self.others = {thread: one for thread, one in found.items() if not one.waits and one.line}
        others = list(self.others.values())
        self._count(sample, others)
        if sample.waits and sample.phase == OTHER_PYTHON and others:
            return max(others, key=_is_of_tensorflow), None  # the program waits for what that thread does
        waits_inside = sample.phase in (INPUT, GRAPH_EXECUTION)
        return sample, (others[0].line if others and waits_inside else None)

    def _stepping_sample(self, frame: types.FrameType | None) -> Sample:
        sample = classify(frame)
        if sample.phase == GRAPH_EXECUTION:
            self.loops.train(frame)
        elif sample.phase == OTHER_PYTHON and self.loops.draws(frame):
            return sample._replace(phase=INPUT)
        return self._released(sample)

    def _released(self, sample: Sample) -> Sample:
        """A Keras loop that has returned waits for the threads of its iterators, which it releases."""
        line = sample.line
        if line is None:
            return sample
        if line.entered in KERAS_LOOPS:
            self._goes_through_input[line.path, line.line] = line.entered
        entered = self._goes_through_input.get((line.path, line.line), "")
        if line.entered == LEAVING and sample.phase == OTHER_PYTHON and entered:
            return sample._replace(phase=INPUT, line=line._replace(entered=entered))
        return sample

    def _count(self, sample: Sample, others: list[Sample]) -> None:
        """Say goodbye to the short interval where several threads run Python all the time."""
        self._looks += 1
        in_python = sample.phase in (OTHER_PYTHON, EAGER_OPERATIONS) and not sample.waits
        self._busy += in_python and bool(others)
        if self._looks == CROWD:
            self.crowded = self.crowded or self._busy > CROWDED * CROWD
            self._looks = self._busy = 0

    def _switch(self, *, fast: bool) -> None:
        """Set Python's switch interval, or set it back unless the program has set one since."""
        if fast and self._interval is None:
            self._interval = sys.getswitchinterval()
            if self._interval > SWITCH_INTERVAL:
                sys.setswitchinterval(SWITCH_INTERVAL)
        elif not fast and self._interval is not None:
            if abs(sys.getswitchinterval() - SWITCH_INTERVAL) < 1e-9:
                sys.setswitchinterval(self._interval)
            self._interval = None


def _is_of_tensorflow(sample: Sample) -> bool:
    return sample.phase != OTHER_PYTHON
