"""How much memory the process holds after each trace."""

import os
from typing import Any

from graphdoctor.observer.probe import Event, Probe

STATISTICS = "/proc/self/statm"  # Linux; elsewhere there is no cheap way to ask, and nothing is recorded


class MemoryProbe(Probe):
    """Adds the resident bytes of the process: graphs are kept for ever, and this is where it shows."""

    def __init__(self) -> None:
        self._page_bytes = os.sysconf("SC_PAGE_SIZE") if os.path.exists(STATISTICS) else 0

    def ended(self, event: Event, graph: Any, error: BaseException | None) -> None:
        if self._page_bytes:
            with open(STATISTICS, "rb") as file:
                event["resident_bytes"] = int(file.read().split()[1]) * self._page_bytes
