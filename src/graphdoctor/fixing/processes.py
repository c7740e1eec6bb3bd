"""Runs programs as processes: with the user's own Python, a time limit, and the same input each time."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from typing import IO, Any

from graphdoctor.errors import LaunchError
from graphdoctor.fixing.trials import INTERRUPTED, TIME_LIMIT, Ended
from graphdoctor.observer.launch import environment

SECONDS_TO_NOTICE = 2.0
SECONDS_TO_END = 10.0  # after it was asked to
STEADY = {"PYTHONHASHSEED": "0"}  # sets keep their order from run to run


class Processes:
    """The runner of `graphdoctor fix`; `shown`: what the first program writes goes to standard error, too."""

    def __init__(self, python: str, timeout: float | None, *, shown: bool) -> None:
        self._python = python
        self._timeout = timeout
        self._shown = shown
        self._input = _Input()

    def __call__(self, command: list[str], directory: str, settings: dict[str, Any]) -> Ended:
        try:
            process = subprocess.Popen(
                [self._python, *command],
                cwd=directory,
                env={**STEADY, **environment(settings)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise LaunchError(f"Cannot start {self._python}: {error.strerror}") from error
        root, copy = settings["witness"]["moved"]
        shown = (copy, root) if self._shown else None
        streams = [_Reader(stream, shown) for stream in (process.stdout, process.stderr) if stream]
        self._shown = False
        self._input.feed(process)
        stopped = self._wait(process)
        texts = [stream.text() for stream in streams]
        return Ended(None if stopped else process.returncode, texts[0], texts[1], stopped)

    def _wait(self, process: "subprocess.Popen[bytes]") -> str:
        """Wait for the end; what stopped it, if something did."""
        try:
            process.wait(self._timeout)
            return ""
        except subprocess.TimeoutExpired:
            stopped = TIME_LIMIT
        except KeyboardInterrupt:
            stopped = INTERRUPTED
            if _ends_within(process, SECONDS_TO_NOTICE):  # a terminal's Ctrl-C reaches it without us
                return stopped
        with contextlib.suppress(OSError):
            process.send_signal(signal.SIGINT)  # so that it writes its recording
        if not _ends_within(process, SECONDS_TO_END):
            process.kill()
            process.wait()
        return stopped


def _ends_within(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    try:
        process.wait(seconds)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        return False
    return True


class _Reader:
    """Reads a stream to its end in a thread; `shown`: and shows it, with another name for a directory."""

    def __init__(self, stream: IO[bytes], shown: tuple[str, str] | None) -> None:
        self._stream = stream
        self._shown = shown
        self._pieces: list[bytes] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while piece := os.read(self._stream.fileno(), 65536):
            self._pieces.append(piece)
            if self._shown:
                with contextlib.suppress(OSError, ValueError):
                    copy, root = self._shown
                    sys.stderr.buffer.write(piece.replace(copy.encode(), root.encode()))
                    sys.stderr.flush()

    def text(self) -> str:
        """All of it; output of a process that outlives the program is not waited for."""
        self._thread.join(SECONDS_TO_END)
        if not self._thread.is_alive():
            self._stream.close()
        return b"".join(self._pieces).decode("utf-8", errors="replace")


class _Input:
    """Passes standard input to the first program while it runs, and the same bytes to all others."""

    def __init__(self) -> None:
        self._kept: list[bytes] | None = None

    def feed(self, process: "subprocess.Popen[bytes]") -> None:
        """Pass it on until the input or the program ends."""
        threading.Thread(target=self._feed, args=(process,), daemon=True).start()

    def _feed(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        first = self._kept is None
        kept = self._kept = self._kept or []
        with contextlib.suppress(OSError, ValueError):
            for piece in kept:
                process.stdin.write(piece)
                process.stdin.flush()
            while first and process.poll() is None:
                if not select.select([0], [], [], 0.1)[0]:
                    continue
                piece = os.read(0, 65536)
                if not piece:
                    break
                kept.append(piece)
                process.stdin.write(piece)
                process.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            process.stdin.close()
