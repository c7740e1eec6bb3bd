"""What the steps of the action share: inputs from the environment, outputs to the runner's files.

No input ever becomes part of a shell command: each is an argument of a process, or split into some.
"""

import os
import pathlib
import secrets
import subprocess
import sys


def lines_of(name: str) -> list[str]:
    """The lines of an input that are not empty."""
    return [line.strip() for line in os.environ.get(name, "").splitlines() if line.strip()]


def give(name: str, value: str) -> None:
    """An output of the step; a text of several lines cannot end it early."""
    mark = secrets.token_hex(16)
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.write(f"{name}<<{mark}\n{value}\n{mark}\n")


def temporary(name: str) -> pathlib.Path:
    """A file beside the workspace that lives as long as the job."""
    return pathlib.Path(os.environ["RUNNER_TEMP"]) / name


def graphdoctor(*arguments: str, cwd: str | None = None, quiet: bool = False) -> int:
    """A command of graphdoctor; its exit code. Its output is the step's unless it is `quiet`."""
    command = [sys.executable, "-m", "graphdoctor", *arguments]
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, cwd=cwd, stdout=output, check=False).returncode
