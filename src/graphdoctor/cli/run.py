"""`graphdoctor run PROGRAM ARGS…`: run it unchanged, record every trace, explain."""

import contextlib
import os
import pathlib
import signal
import sys

import click

from graphdoctor.config import load_config
from graphdoctor.engine import judge_recordings
from graphdoctor.errors import GraphdoctorError, LaunchError
from graphdoctor.observer.launch import choose_python, launch
from graphdoctor.recording import read_recording
from graphdoctor.reports.formats import format_for


@click.command(
    "run",
    short_help="what did go wrong: run a program and explain",
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
)
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("-c", "code", metavar="CODE", help="Run this text, as `python -c` does.")
@click.option("--python", metavar="PYTHON", help="The interpreter [default: the active environment's].")
@click.option("-o", "--output", metavar="FILE", help="Also write the report; the extension says the format.")
@click.option(
    "--recording",
    metavar="FILE",
    help="Where to record [default: graphdoctor-<program>-<pid>.jsonl, here].",
)
@click.option("-q", "--quiet", is_flag=True, help="Print no report.")
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="PROGRAM ARGS…")
def run_command(
    module: str | None,
    code: str | None,
    python: str | None,
    output: str | None,
    recording: str | None,
    quiet: bool,
    program: tuple[str, ...],
) -> None:
    """Run a program exactly as Python would, and explain every trace at the end.

    Everything after PROGRAM belongs to the program. Its output, exit code, exceptions and signals are
    its own; the report goes to standard error, also after an exception or Ctrl-C.

    \b
    graphdoctor run train.py --epochs 1
    graphdoctor run -o report.json -m package.train
    """
    command, name = _command(module, code, program)
    if output is not None:
        format_for(output)
    pattern = os.path.abspath(recording or f"graphdoctor-{name}-{{pid}}.jsonl")
    status, process = launch(command, python=choose_python(python), recording=pattern)
    try:
        _report(pattern.replace("{pid}", str(process)), output, quiet)
    except GraphdoctorError as error:
        click.echo(f"graphdoctor: {error}", err=True)
    _leave_as(status)


def _command(module: str | None, code: str | None, program: tuple[str, ...]) -> tuple[list[str], str]:
    """What to hand to Python, and a short name for the recording."""
    if module is not None:
        return ["-m", module, *program], module.rpartition(".")[2]
    if code is not None:
        return ["-c", code, *program], "code"
    if not program:
        raise LaunchError("no program given: try `graphdoctor run train.py`")
    if not pathlib.Path(program[0]).exists():
        raise LaunchError(f"{program[0]} does not exist; give a Python file, or a module with -m")
    return list(program), pathlib.Path(program[0]).stem


def _report(recording: str, output: str | None, quiet: bool) -> None:
    if not pathlib.Path(recording).exists():
        click.echo("graphdoctor: the program did not import TensorFlow; nothing to report", err=True)
        return
    read = (read_recording(recording),)
    report = judge_recordings(read, load_config(pathlib.Path.cwd()))
    if output is not None:
        from graphdoctor.reports import write_report

        write_report(report, output)
    if not quiet:
        from rich.console import Console

        from graphdoctor.reports.run import print_run

        console = Console(stderr=True, highlight=False)
        console.print(f"\n── graphdoctor {'─' * 60}"[:79], style="dim")
        print_run(report, console)
        console.print(f"Recording: {os.path.relpath(recording)}", style="dim", soft_wrap=True)


def _leave_as(status: int) -> None:
    """End as the program ended: with its exit code, or by the signal that ended it."""
    if status >= 0:
        sys.exit(status)
    sys.stdout.flush()
    sys.stderr.flush()
    with contextlib.suppress(OSError):  # the handler of SIGKILL cannot be set, nor need it be
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
    sys.exit(128 - status)
