"""Hears what is written to standard output and error while a function is traced, by any code.

`print` is C, and AutoGraph leaves it alone: nobody hears the call. But it looks up `write` of the stream each
time; while a trace is under way, and at no other time, the stream has one of ours in its own dictionary.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any

Wrote = Callable[[str], None]


class StreamWatch:
    """Watches the streams while somebody asks for it, in however many threads."""

    def __init__(self, wrote: Wrote) -> None:
        self._wrote = wrote
        self._lock = threading.Lock()
        self._askers = 0
        self._watched: list[Any] = []

    def begin(self) -> None:
        """A trace begins: watch from now on."""
        with self._lock:
            self._askers += 1
            if self._askers == 1:
                self._watched = [stream for stream in (sys.stdout, sys.stderr) if self._watch(stream)]

    def end(self) -> None:
        """A trace ended; with the last one the streams are as they were."""
        with self._lock:
            self._askers = max(0, self._askers - 1)
            while self._askers == 0 and self._watched:
                vars(self._watched.pop()).pop("write", None)

    def _watch(self, stream: Any) -> bool:
        own = getattr(stream, "__dict__", None)
        if not isinstance(own, dict) or "write" in own:
            return False
        write, wrote = stream.write, self._wrote

        def watched_write(text: Any) -> Any:
            written = write(text)
            wrote(text)
            return written

        own["write"] = watched_write
        return True
