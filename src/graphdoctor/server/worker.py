"""The one thread that judges, so that the one that speaks with the editor never waits for it."""

import dataclasses
import logging
import threading
import time
from collections.abc import Callable

from graphdoctor.errors import Cancelled

STACK_BYTES = 256 << 20  # of addresses; what nests deeply needs a part of it
logger = logging.getLogger(__name__)
GoOn = Callable[[], None]


@dataclasses.dataclass
class _Job:
    key: str
    due: float
    urgent: bool
    action: Callable[[GoOn], None]
    cancelled: bool = False


class Worker:
    """Does one job at a time; a newer one with the same key replaces an older one, done, begun or not.

    An urgent job interrupts one that is not, which is done again later.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._jobs: dict[str, _Job] = {}
        self._running: _Job | None = None
        self._stopped = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="graphdoctor", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        before = threading.stack_size()
        try:
            threading.stack_size(STACK_BYTES)
            self._thread.start()
        finally:
            threading.stack_size(before)

    def stop(self) -> None:
        """Leave undone what is not done."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def ask(
        self, key: str, action: Callable[[GoOn], None], *, delay: float = 0.0, urgent: bool = True
    ) -> None:
        """Do this after some seconds, unless a newer job with the key comes before."""
        with self._changed:
            running = self._running
            if running is not None and running.key == key:
                running.cancelled = True
            elif running is not None and urgent and not running.urgent and not running.cancelled:
                running.cancelled = True
                self._jobs.setdefault(running.key, dataclasses.replace(running, cancelled=False))
            self._jobs[key] = _Job(key, self._clock() + delay, urgent, action)
            self._changed.notify()

    def drop(self, key: str) -> None:
        """Nobody waits for this any more."""
        with self._changed:
            self._jobs.pop(key, None)
            if self._running is not None and self._running.key == key:
                self._running.cancelled = True

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job.action(lambda job=job: self._go_on(job))  # type: ignore[misc]
            except Cancelled:
                logger.debug("cancelled: %s", job.key)
            except Exception:
                logger.exception("failed: %s", job.key)

    def _go_on(self, job: _Job) -> None:
        if job.cancelled or self._stopped:
            raise Cancelled

    def _next(self) -> _Job | None:
        """The most urgent job that is due; None when there will be no more."""
        with self._changed:
            self._running = None
            while not self._stopped:
                now = self._clock()
                due = [job for job in self._jobs.values() if job.due <= now]
                if due:
                    job = min(due, key=lambda job: (not job.urgent, job.due))
                    self._running = self._jobs.pop(job.key)
                    return job
                soonest = min((job.due for job in self._jobs.values()), default=None)
                self._changed.wait(None if soonest is None else soonest - now)
            return None
