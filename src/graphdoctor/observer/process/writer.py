"""Writes a recording line by line, each flushed: a killed program loses nothing already written."""

import contextlib
import itertools
import json
import os
import sys
import threading
from typing import Any

from graphdoctor.observer.process.locks import mark_in_use

FLAGS = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC
OWNER_ONLY = 0o600  # a recording holds values of the program's arguments


class Writer:
    """Appends events to a file; after the first failure it warns once and stays silent.

    `exclusive` never overwrites: `123.jsonl`, then `123-2.jsonl`, as when a process replaces itself.
    `fresh` follows no link and keeps nothing of an older file: the user did not name this place.
    """

    def __init__(self, path: str, exclusive: bool = False, fresh: bool = False) -> None:
        self.path = path
        self._exclusive = exclusive
        self._fresh = fresh
        # Re-entrant: a signal handler of the program's may trace while we write.
        self._lock = threading.RLock()
        self._descriptor: int | None = None
        self._broken = False

    def write(self, event: dict[str, Any]) -> None:
        """Add one line. Never raises: the program goes on, whatever the disk says."""
        if self._broken:
            return
        try:
            text = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
            line = text.encode("utf-8", "replace") + b"\n"
            with self._lock:
                self._write(line)
        except Exception as error:
            self._give_up(error)

    def _write(self, line: bytes) -> None:
        if self._descriptor is None:
            self._descriptor = self._open()
        while line:
            line = line[os.write(self._descriptor, line) :]

    def _open(self) -> int:
        descriptor = self._new() if self._exclusive else self._replaced()
        mark_in_use(descriptor)
        return descriptor

    def _replaced(self) -> int:
        if not self._fresh:
            return os.open(self.path, FLAGS | os.O_TRUNC, OWNER_ONLY)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
        return os.open(self.path, FLAGS | os.O_EXCL, OWNER_ONLY)

    def _new(self) -> int:
        stem, extension = os.path.splitext(self.path)
        for number in itertools.count(2):
            try:
                return os.open(self.path, FLAGS | os.O_EXCL, OWNER_ONLY)
            except FileExistsError:
                self.path = f"{stem}-{number}{extension}"
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Let go of the file; later events are lost."""
        self._broken = True
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _give_up(self, error: Exception) -> None:
        self._broken = True
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        with contextlib.suppress(Exception):  # a program may have closed its standard error
            print(f"graphdoctor: cannot write {self.path}: {reason}; recording stops", file=sys.stderr)
