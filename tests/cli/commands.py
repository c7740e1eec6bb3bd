"""Run the real command line in a process of its own."""

import os
import pathlib
import subprocess
import sys


def graphdoctor(
    *arguments: str | pathlib.Path, cwd: pathlib.Path, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """`graphdoctor ARGUMENTS…` in a directory; standard output and error as text."""
    return subprocess.run(
        [sys.executable, "-m", "graphdoctor", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        input=stdin,
        env={**clean_environment(), **environment},
        timeout=300,
        check=False,
    )


def clean_environment() -> dict[str, str]:
    """The environment, without an active virtual environment that is not the one under test."""
    dropped = ("VIRTUAL_ENV", "CONDA_PREFIX")
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    return {**kept, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "COLUMNS": "80"}
