"""How much memory the process holds after each trace."""

import os
from typing import Any

from graphdoctor.observer.probe import Event, Probe, serves_pipeline

STATISTICS = "/proc/self/statm"  # Linux; elsewhere there is no cheap way to ask, and nothing is recorded


class MemoryProbe(Probe):
    """Adds the resident bytes of the process: graphs are kept for ever, and this is where it shows."""

    def __init__(self) -> None:
        self._page_bytes = os.sysconf("SC_PAGE_SIZE") if os.path.exists(STATISTICS) else 0

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        if self._page_bytes and not serves_pipeline(event):
            event["resident_bytes"] = int(_statistics().split()[1]) * self._page_bytes


def resident_bytes() -> int:
    """What the process holds now; 0 where the system does not tell."""
    if not os.path.exists(STATISTICS):
        return 0
    return int(_statistics().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _statistics() -> bytes:
    """The file, read without the buffers of `open`: opened again, since a forked process has another one."""
    descriptor = os.open(STATISTICS, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 200)
    finally:
        os.close(descriptor)
