"""`graphdoctor run PROGRAM ARGS…`: run it unchanged, record every trace, explain."""

import contextlib
import os
import pathlib
import platform
import secrets
import signal
import sys

import click

from graphdoctor.cli.completing import complete_files
from graphdoctor.cli.destination import Destination
from graphdoctor.cli.interpreter import say_if_without_tensorflow
from graphdoctor.cli.limits import limits, not_judged, verdict
from graphdoctor.cli.live import Live
from graphdoctor.cli.program import ProgramCommand
from graphdoctor.config import load_config
from graphdoctor.errors import GraphdoctorError, LaunchError
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report, shown
from graphdoctor.model.words import duration, printable
from graphdoctor.observer.launch import choose_python, launch
from graphdoctor.observer.process.cluster import host_of, rank_of
from graphdoctor.recording import Selection, read_recording
from graphdoctor.reports.formats import format_for
from graphdoctor.verdict import Allowance, threshold

LEAST_CHILD_SECONDS = 1.0  # importing TensorFlow takes more


@click.command(
    "run",
    cls=ProgramCommand,
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
    help="Where to record [default: .graphdoctor/<program>-<pid>.jsonl, which keeps the last 10]; "
    "{pid}, {rank} and {host} stand for those of the process.",
)
@click.option("--calls", is_flag=True, help="Also look at each call that needs no trace; costs some %.")
@click.option(
    "--numerics",
    is_flag=True,
    help="Stop at the first operation that gives infinity or NaN, and name it (not under XLA).",
)
@click.option("--no-time", is_flag=True, help="Do not account for where the wall time goes.")
@click.option("--all", "everything", is_flag=True, help="Also show notes and low-confidence findings.")
@click.option("-q", "--quiet", is_flag=True, help="Print no report.")
@click.option("--live", is_flag=True, help="Also print each retrace when it happens, in one line.")
@click.option("--redact", is_flag=True, help="Keep Python values and keys out of the recording.")
@click.option(
    "--subprocesses",
    is_flag=True,
    help="Also record the processes that the program starts; --recording then names a directory.",
)
@limits
@click.argument(
    "program", nargs=-1, type=click.UNPROCESSED, metavar="PROGRAM ARGS…", shell_complete=complete_files
)
def run_command(
    module: str | None,
    code: str | None,
    python: str | None,
    output: str | None,
    recording: str | None,
    calls: bool,
    numerics: bool,
    no_time: bool,
    everything: bool,
    quiet: bool,
    live: bool,
    redact: bool,
    subprocesses: bool,
    selection: Selection,
    allowance: Allowance,
    program: tuple[str, ...],
) -> None:
    """Run a program exactly as Python would, and explain every trace at the end.

    Everything after PROGRAM, `-m MODULE` or `-c CODE` belongs to the program. Its output, exit code,
    exceptions and signals are its own; the report goes to standard error, also after an exception or
    Ctrl-C.

    With --fail-on or --max-traces the exit code is 1 when the program ended well but traced what is
    not allowed, and 2 when that could not be judged: there is no recording, or it is not complete.

    \b
    graphdoctor run train.py --epochs 1
    graphdoctor run -o report.json -m package.train
    graphdoctor run --fail-on retrace --warmup 2 train.py
    """
    command, name = _command(module, code, program)
    if output is not None:
        format_for(output)
    place = Destination.choose(_of_this_worker(recording), name, subprocesses)
    key = secrets.token_hex(16) if redact else None
    narrator = Live(place.files, selection, _say) if live else None
    interpreter = choose_python(python)
    status, process = launch(
        command,
        python=interpreter,
        recording=place.pattern,
        settings={
            "subprocesses": subprocesses,
            "live": live,
            "redact": key,
            "calls": calls,
            "numerics": numerics,
            "time": not no_time,
            "include": selection.include,
            "fresh": place.fresh,
            "launcher": os.getpid(),
        },
        started=narrator.start if narrator is not None else None,
    )
    if narrator is not None:
        narrator.finish()
    verdict_status = _report(place, process, output, quiet, everything, selection, allowance)
    place.release()
    if status and not place.files(process):
        say_if_without_tensorflow(interpreter)
    _leave_as(status or verdict_status)


def _of_this_worker(recording: str | None) -> str | None:
    """The name of the recording, with the rank and host of this worker for `{rank}` and `{host}`."""
    if recording is None:
        return None
    rank = rank_of()
    if "{rank}" in recording and rank is None:
        raise LaunchError(
            "--recording {rank}: neither TF_CONFIG nor a launcher says the rank of this process"
        )
    return recording.replace("{rank}", str(rank)).replace("{host}", host_of() or platform.node())


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


def _report(
    place: Destination,
    process: int,
    output: str | None,
    quiet: bool,
    everything: bool,
    selection: Selection,
    allowance: Allowance,
) -> int:
    """Explain what was recorded; returns the exit code that the run itself deserves."""
    try:
        files = place.files(process)
        if not files:
            seconds = place.child_seconds(process)
            _say(_unknown(place) if seconds is None else _nothing_recorded(seconds))
            place.leave_nothing()
            return not_judged("there is no recording", allowance) if seconds is None else 0
        config = load_config(pathlib.Path.cwd())
        report = judge_recordings(tuple(map(read_recording, files)), config, selection)
        if output is not None:
            from graphdoctor.reports import write_report

            write_report(report, output)
    except GraphdoctorError as error:
        _say(printable(str(error)))
        return 2 if allowance.asks else 0
    if not quiet:
        _print(shown(report, threshold(config, everything=everything)), place.shown(process))
    return verdict(report, allowance)


def _unknown(place: Destination) -> str:
    obstacle = place.obstacle()
    if obstacle is not None:
        return f"nothing was recorded: {printable(obstacle)}; --recording names another place"
    return (
        "nothing was recorded: the process did not reach the end of Python "
        "(it left by `os._exit`, or `exec` replaced it: --subprocesses records what runs then)"
    )


def _nothing_recorded(child_seconds: float) -> str:
    if child_seconds >= LEAST_CHILD_SECONDS:
        return (
            f"nothing was seen: the program did not import TensorFlow itself, but processes that it started "
            f"worked for {duration(child_seconds)}; run it with --subprocesses to record them"
        )
    return (
        "the program did not import TensorFlow; nothing to report "
        "(--subprocesses also records the processes that it starts)"
    )


def _print(report: Report, recorded: str) -> None:
    from rich.console import Console

    from graphdoctor.reports.run import print_run

    console = Console(stderr=True, highlight=False)
    console.print(f"\n── graphdoctor {'─' * 60}"[:79], style="dim")
    print_run(report, console)
    console.print(f"Recording: {printable(recorded)}", style="dim", markup=False, soft_wrap=True)


def _say(text: str) -> None:
    click.echo(f"graphdoctor: {text}", err=True)


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
