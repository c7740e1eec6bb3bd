"""What the time inside the steps of a trainer is made of, by samples; runs in the observed process."""

import contextlib
import os
import threading
from typing import Any

from graphdoctor.observer.timing import tensorflow_internals as internals
from graphdoctor.observer.timing.classify import Line, Sample
from graphdoctor.observer.timing.sampler import Sampler


class StepParts:
    """Looks at the stepping thread while a step is under way; keeps the seconds of each phase and line."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._lines: dict[str, dict[tuple[str, int], float]] = {}
        self._inside = False
        self._sampler = Sampler(threading.get_ident(), self._taken)

    def __enter__(self) -> "StepParts":
        self._sampler.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._sampler.stop()

    def begin(self) -> None:
        """A step begins."""
        self._inside = True

    def end(self) -> None:
        """It is over."""
        self._inside = False

    def by_phase(self) -> dict[str, dict[str, Any]]:
        """For each phase its seconds, and the user's line that took most of them."""
        found, here = {}, os.getcwd().rstrip(os.sep) + os.sep
        for phase, seconds in self._seconds.items():
            lines = self._lines.get(phase, {})
            path, line = max(lines, key=lambda one: lines[one], default=("", 0))
            found[phase] = {"seconds": seconds, "path": path.removeprefix(here), "line": line}
        return found

    def _taken(self, sample: Sample, behind: Line | None, seconds: float) -> None:
        if not self._inside:
            return
        self._seconds[sample.phase] = self._seconds.get(sample.phase, 0.0) + seconds
        if sample.line is not None:
            lines = self._lines.setdefault(sample.phase, {})
            where = sample.line.path, sample.line.line
            lines[where] = lines.get(where, 0.0) + seconds


class InputWaits:
    """What graphs that draw their own batches wait for them, measured by TensorFlow's own profiler."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._session: Any = None

    def __enter__(self) -> "InputWaits":
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds()

    def begin(self) -> None:
        """The later steps begin."""
        if self._wanted and self._session is None:
            self._wanted = False
            with contextlib.suppress(Exception):  # the trainer profiles itself
                self._session = internals.start_profile()

    def seconds(self) -> float | None:
        """What the steps since then waited; None where that is not known."""
        session, self._session = self._session, None
        return internals.input_seconds(session.stop())[0] if session is not None else None
