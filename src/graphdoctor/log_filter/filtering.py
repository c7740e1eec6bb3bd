"""Standard error without TensorFlow's log noise: the file descriptor, not only Python's stream."""

import contextlib
import os
import secrets
import subprocess
import sys
import threading

from graphdoctor.log_filter.forwarding import start_forwarding


class LogNoiseFilter:
    """A context in which log noise on standard error is lost, and nothing else.

    It can be entered again, and by several threads. Where it cannot be set up, nothing is filtered.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._mark = secrets.token_hex(16)
        self._process: subprocess.Popen[bytes] | None = None
        self._error: int | None = None  # the true standard error, while another stands in its place

    def __enter__(self) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                with contextlib.suppress(OSError):
                    self._redirect()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0 and self._error is not None:
                self._restore(self._error)

    def close(self) -> None:
        """End the process behind it, unless a program that was started meanwhile still writes to it."""
        process, self._process = self._process, None
        if process is None or process.stdin is None or process.stdout is None:
            return
        process.stdin.close()
        process.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)

    def _redirect(self) -> None:
        _flush()
        error = os.dup(2)
        try:
            if self._process is None:
                self._process = start_forwarding(self._mark)
            assert self._process.stdin is not None
            os.dup2(self._process.stdin.fileno(), 2)
        except OSError:
            os.close(error)
            raise
        self._error = error

    def _restore(self, error: int) -> None:
        """Standard error as it was, after all that was written meanwhile has come out."""
        _flush()
        os.dup2(error, 2)
        os.close(error)
        self._error = None
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(self._mark.encode())
            self._process.stdout.read(1)


def _flush() -> None:
    with contextlib.suppress(Exception):  # None, closed, or a stream of the user's own
        sys.stderr.flush()
