"""Run the command line: in this process where that is enough, else in one of its own."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from unittest import mock

from graphdoctor.cli import main
from graphdoctor.log_filter import without_log_noise

IN_THIS_PROCESS = ("check", "rule")  # a new interpreter takes longer than what they do


def graphdoctor(
    *arguments: str | pathlib.Path,
    cwd: pathlib.Path,
    stdin: str | None = None,
    process: bool = False,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """`graphdoctor ARGUMENTS…` in a directory; standard output and error as text."""
    if arguments and arguments[0] in IN_THIS_PROCESS and not environment and not process:
        return _in_this_process([str(argument) for argument in arguments], cwd, stdin)
    return python("-m", "graphdoctor", *map(str, arguments), cwd=cwd, stdin=stdin, **environment)


def python(
    *arguments: str, cwd: pathlib.Path, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """`python ARGUMENTS…` in a directory; what it wrote, without the log noise of TensorFlow's start."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        input=stdin,
        env={**clean_environment(), **environment},
        timeout=600,
        check=False,
    )
    done.stderr = without_log_noise(done.stderr)
    return done


def _in_this_process(
    arguments: list[str], cwd: pathlib.Path, stdin: str | None
) -> subprocess.CompletedProcess[str]:
    code: object = 0
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with (
        _directory(cwd),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(errors),
        mock.patch.object(sys, "argv", ["graphdoctor", *arguments]),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO((stdin or "").encode()))),
        mock.patch.dict(os.environ, clean_environment(), clear=True),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    texts = [stream.seek(0) or stream.read() for stream in (output, errors)]
    return subprocess.CompletedProcess(arguments, int(str(code or 0)), *texts)


@contextlib.contextmanager
def _directory(folder: pathlib.Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def clean_environment() -> dict[str, str]:
    """The environment, without a virtual environment that is not the one under test, or pytest's options."""
    dropped = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTEST_ADDOPTS")
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    return {**kept, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "COLUMNS": "80"}
