"""How busy the processors were with this process, between one look and the next."""

import os
import time
from collections.abc import Callable


class Processors:
    """The processor time of the process, as a share of all that its processors had to give."""

    def __init__(
        self,
        clock: Callable[[], float],
        used: Callable[[], float] = time.process_time,
        processors: int | None = None,
    ) -> None:
        self._clock, self._used = clock, used
        self._processors = processors or _processors()
        self._before = clock(), used()

    def busy(self) -> float | None:
        """The share since the last call; None where no time has passed."""
        (then, used_then), self._before = self._before, (self._clock(), self._used())
        now, used = self._before
        if now <= then:
            return None
        return min(1.0, (used - used_then) / ((now - then) * self._processors))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
