"""What tests use to run a program under the real TensorFlow and look at what was recorded."""

import dataclasses
import functools
import hashlib
import itertools
import json
import os
import pathlib
import py_compile
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.log_filter import without_log
from graphdoctor.model import Report
from graphdoctor.recording import Recording, read_recording

TIME_LIMIT = 300.0  # for programs that hang: a busy machine may need minutes for what takes seconds
# Unbuffered: what Python and what TensorFlow prints comes in the order of a terminal.
SETTINGS = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "PYTHONUNBUFFERED": "1"}
SERVER = pathlib.Path(__file__).with_name("tensorflow_server.py")
# A warning of Python's with the line that gave it: the path is the machine's.
WARNING = re.compile(r"^(?:/.*|\S+):\d+: \w+Warning: .*\n(?:  .*\n)?", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Ran:
    """A program's end: what it printed, the error it raised, and the recording of its traces."""

    output: str
    error: str | None
    timed_out: bool
    folder: pathlib.Path

    @property
    def printed(self) -> str:
        """What it printed, without the warnings that libraries gave."""
        return WARNING.sub("", self.output).strip()

    @functools.cached_property
    def recording(self) -> Recording:
        """What the observer wrote."""
        return read_recording(str(self.folder / "recording.jsonl"))

    @property
    def report(self) -> Report:
        """What graphdoctor says of the run."""
        return judge_recordings((self.recording,), Config())

    @property
    def traces(self) -> int:
        """The traces of the program's own functions."""
        return sum(not trace.library for trace in self.recording.traces)


class TensorFlowServer:
    """Runs programs, each in a process of its own with a time limit.

    `shared` is a directory of all servers: what one of them ran once is not run again.
    """

    def __init__(self, directory: pathlib.Path, shared: pathlib.Path | None = None) -> None:
        self.directory = directory
        self.shared = shared or directory
        self._numbers = itertools.count(1)
        self._started: subprocess.Popen[str] | None = None

    @property
    def _process(self) -> subprocess.Popen[str]:
        """The process that has TensorFlow: started by the first program that is run."""
        if self._started is None:
            # Its own frames stand below those of each program: they belong to no file that could be read.
            compiled = py_compile.compile(str(SERVER), str(self.directory / "server.pyc"), "<frozen server>")
            self._started = subprocess.Popen(
                [sys.executable, str(compiled)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, **SETTINGS},
            )
        return self._started

    def run(
        self,
        text: str,
        name: str = "program.py",
        timeout: float = TIME_LIMIT,
        observe: bool = True,
        beside: Mapping[str, str] | None = None,
        counters: pathlib.Path | None = None,
        **settings: object,
    ) -> Ran:
        """Run a program's text to its end, with these settings of the observer, or without it.

        `beside` are the other files of the program; `counters` is a file as tests/truths/counters.py, whose
        facts are then in `facts.json`.
        """
        folder = self.directory / f"run{next(self._numbers)}"
        folder.mkdir()
        for path, lines in {**(beside or {}), name: text}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(lines, encoding="utf-8")
        recording = folder / ("{pid}.jsonl" if settings.get("subprocesses") else "recording.jsonl")
        request = {
            "program": str(folder / name),
            "output": str(folder / "output.txt"),
            "error": str(folder / "error.txt"),
            "timeout": str(timeout),
            "settings": {"recording": str(recording), **settings} if observe else None,
        }
        if counters is not None:
            request |= {"counters": str(counters), "facts": str(folder / "facts.json")}
        answer = self.ask(request)
        error = folder / "error.txt"
        return Ran(
            output=without_log((folder / "output.txt").read_text(encoding="utf-8", errors="replace")),
            error=error.read_text() if error.exists() else None,
            timed_out=answer["timed_out"],
            folder=folder,
        )

    def run_once(self, text: str, **settings: object) -> Ran:
        """As `run`; a program that another test ran so is not run again."""
        known = json.dumps([text, settings], sort_keys=True).encode()
        kept = self.shared / f"{hashlib.sha256(known).hexdigest()}.json"
        if kept.exists():
            output, error, folder = json.loads(kept.read_text(encoding="utf-8"))
            return Ran(output=output, error=error, timed_out=False, folder=pathlib.Path(folder))
        ran = self.run(text, **settings)  # type: ignore[arg-type]
        if not ran.timed_out:
            made = ran.folder / "ran.json"
            made.write_text(json.dumps([ran.output, ran.error, str(ran.folder)]), encoding="utf-8")
            made.replace(kept)  # whole, also for another process that looks for it now
        return ran

    def ask(self, request: dict[str, object]) -> dict[str, Any]:
        """Send one request, as tests/tensorflow_server.py reads it, and wait for the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """End the server."""
        if self._started is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=TIME_LIMIT)
        self._process.stdout.close()
