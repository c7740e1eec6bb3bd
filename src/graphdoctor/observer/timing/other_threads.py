"""What the program's other threads ran in Python: seconds by thread, phase and line, beside the account."""

import threading
from collections.abc import Iterator, Mapping

from graphdoctor.observer.timing.classify import Line, Sample
from graphdoctor.observer.timing.steps import chain_of_line
from graphdoctor.recording.format import Phase

MOST_KEPT = 200
UNNAMED = "a thread that Python did not start"


class OtherThreads:
    """Adds up the looks at them; a thread that waits takes no time."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str, Line | None], float] = {}

    def take(self, found: Mapping[int, Sample], seconds: float) -> None:
        """What each was at, for so long."""
        for thread, sample in found.items():
            key = (_name(thread), sample.phase, sample.line)
            if key in self._seconds or len(self._seconds) < MOST_KEPT:
                self._seconds[key] = self._seconds.get(key, 0.0) + seconds

    def events(self) -> Iterator[Phase]:
        """The seconds since they were last asked for."""
        seconds, self._seconds = self._seconds, {}
        for (name, phase, line), taken in seconds.items():
            yield Phase(phase=phase, seconds=round(taken, 6), chain=chain_of_line(line), thread=name)


def _name(thread: int) -> str:
    """Without the lock of `threading.enumerate`, which the program may hold."""
    known = getattr(threading, "_active", {}).get(thread)
    return str(known.name) if known is not None else UNNAMED
