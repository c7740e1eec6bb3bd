"""Writes a recording line by line, each flushed: a killed program loses nothing already written."""

import json
import os
import sys
import threading
from typing import Any


class Writer:
    """Appends events to a file; after the first failure it warns once and stays silent."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._descriptor: int | None = None
        self._broken = False

    def write(self, event: dict[str, Any]) -> None:
        """Add one line. Never raises: the program goes on, whatever the disk says."""
        if self._broken:
            return
        try:
            line = json.dumps(event, separators=(",", ":")).encode() + b"\n"
            with self._lock:
                self._write(line)
        except Exception as error:
            self._give_up(error)

    def _write(self, line: bytes) -> None:
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        while line:
            line = line[os.write(self._descriptor, line) :]

    def _give_up(self, error: Exception) -> None:
        self._broken = True
        print(f"graphdoctor: cannot write {self.path}: {error}; recording stops", file=sys.stderr)
