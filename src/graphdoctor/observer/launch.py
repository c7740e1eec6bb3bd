"""Start the observed program as its own Python would, and stay out of its way until it ends."""

import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import Any

from graphdoctor.errors import LaunchError

STARTUP = pathlib.Path(__file__).resolve().parent / "startup"
FORWARDED = [
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
]


def choose_python(asked_for: str | None) -> str:
    """The interpreter the user means: the one named, the active environment's, or our own."""
    if asked_for is not None:
        found = shutil.which(asked_for)
        if found is None:
            raise LaunchError(f"--python {asked_for}: there is no such program")
        return found
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        candidate = pathlib.Path(os.environ.get(variable) or "/nowhere") / "bin" / "python"
        if candidate.exists():
            return str(candidate)
    if importlib.util.find_spec("tensorflow") is None:
        return _first_on_the_path()
    return sys.executable


def _first_on_the_path() -> str:
    """The `python3` of the shell, where ours has no TensorFlow; said, for nobody asked for it."""
    found = shutil.which("python3") or sys.executable
    if found != sys.executable:
        print(
            f"graphdoctor: {sys.executable} has no TensorFlow: the program runs with {found}; "
            "--python names another",
            file=sys.stderr,
        )
    return found


def launch(
    command: Sequence[str],
    *,
    python: str,
    recording: str,
    settings: dict[str, Any] | None = None,
    started: Callable[[int], None] | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
) -> tuple[int, int]:
    """Run `python COMMAND…` to its end; returns its exit status (negative: a signal) and process id.

    `settings` are those of `observe_this_process`; `started` hears the process id at once.
    """
    try:
        process = subprocess.Popen(
            [python, *command],
            env=environment({"recording": recording, **(settings or {})}),
            stdout=stdout,
            stderr=stderr,
        )
    except OSError as error:
        raise LaunchError(f"Cannot start {python}: {error.strerror}") from error
    with _signals_go_to(process):
        if started is not None:
            started(process.pid)
        return process.wait(), process.pid


def environment(settings: dict[str, Any]) -> dict[str, str]:
    """The variables with which a Python observes itself."""
    pythonpath = os.environ.get("PYTHONPATH")
    settings = {"subprocesses": False, **settings, "pythonpath": pythonpath}
    paths = [str(STARTUP)] + ([pythonpath] if pythonpath else [])
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "GRAPHDOCTOR_OBSERVER": json.dumps(settings),
    }


@contextlib.contextmanager
def _signals_go_to(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """While the program runs, signals are meant for it. A terminal's Ctrl-C reaches it without us."""

    def forward(number: int, _: FrameType | None) -> None:
        if number != signal.SIGINT or not _in_terminal_foreground():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)

    previous = {number: signal.signal(number, forward) for number in [signal.SIGINT, *FORWARDED]}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _in_terminal_foreground() -> bool:
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
