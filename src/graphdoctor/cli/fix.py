"""`graphdoctor fix PROGRAM ARGS…`: run, fix a copy, run again, compare: edits with their proof."""

import os
import pathlib
import sys
import tempfile
from collections.abc import Sequence

import click
from msgspec.structs import replace

from graphdoctor.cli.completing import complete_files, complete_rules
from graphdoctor.cli.interpreter import say_if_without_tensorflow
from graphdoctor.cli.program import ProgramCommand
from graphdoctor.cli.terminal import for_standard_output
from graphdoctor.config import load_config
from graphdoctor.errors import GraphdoctorError, LaunchError
from graphdoctor.fixing.copies import find_place
from graphdoctor.fixing.notes import remarks_on
from graphdoctor.fixing.processes import Processes
from graphdoctor.fixing.search import Search
from graphdoctor.fixing.trials import Laboratory
from graphdoctor.fixing.writing import replace_files
from graphdoctor.model import Report
from graphdoctor.model.fix_result import FixResult
from graphdoctor.model.words import count, printable
from graphdoctor.observer.launch import choose_python
from graphdoctor.reports.formats import format_for, write_report
from graphdoctor.rules.registry import selected_rules


@click.command(
    "fix",
    cls=ProgramCommand,
    short_help="edits with their proof: run, fix a copy, run again, compare",
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
)
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("--python", metavar="PYTHON", help="The interpreter [default: the active environment's].")
@click.option("--apply", "write", is_flag=True, help="Write the edits that are proven to your files.")
@click.option(
    "--only",
    multiple=True,
    shell_complete=complete_rules,
    metavar="RULES",
    help="Fix only these: ids, prefixes or names.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), metavar="SECONDS", help="Stop each run after this time."
)
@click.option("--diff", "patch", metavar="FILE", help="Also write the proven edits as a patch.")
@click.option("-o", "--output", metavar="FILE", help="Also write the report with the proof: .html, .json, ….")
@click.option("--json", "as_json", is_flag=True, help="Print the report with the proof as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Show neither the program's output nor what is being done.")
@click.argument(
    "program", nargs=-1, type=click.UNPROCESSED, metavar="PROGRAM ARGS…", shell_complete=complete_files
)
def fix_command(
    module: str | None,
    python: str | None,
    write: bool,
    only: tuple[str, ...],
    timeout: float | None,
    patch: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
    program: tuple[str, ...],
) -> None:
    """Find the edits that fix a program, and prove them by running it.

    Runs the program, observed; applies the fixes of what is found to a copy; runs the copy; and compares
    exit code, output, what graph functions returned, final variables, traces and seconds. An edit that does
    not help, or changes what is computed, is refused, with the reason. Where the program dies or is
    silently wrong, the edited one has to equal its own eager run.

    THE PROGRAM RUNS SEVERAL TIMES, each time from a fresh copy of its directory, with the same arguments,
    environment and input. What it writes to other places it writes each time. Your files are changed only
    with --apply, and only by edits that are proven.

    What a fix must change does not count as a difference: a new gradient has to agree with a numerical
    derivative, a line has to be printed at each call. What differs between two runs of the original (times,
    speeds) is not compared, and the report names it. Random numbers are seeded, unless the program
    does so itself.

    Exit codes: 0 nothing to fix, or all fixed by --apply · 1 something is still found · 2 an error.

    \b
    graphdoctor fix train.py --epochs 1
    graphdoctor fix --apply --only GD101 train.py
    graphdoctor fix --timeout 60 -o proof.html -m package.train
    """
    command = _command(module, program)
    _refuse_unknown(only)
    if output is not None:
        format_for(output)
    if write and command[0].endswith(".ipynb"):
        raise LaunchError(
            f"{command[0]} is a notebook, which --apply does not write: a browser has it open, and that copy "
            "would win; without --apply the edits are shown cell by cell"
        )
    place = find_place(command, os.getcwd())
    say = (lambda text: None) if quiet else _say
    interpreter = choose_python(python)
    runner = Processes(interpreter, timeout, shown=not quiet)
    with _temporary_directory() as directory:
        laboratory = Laboratory(place, runner, load_config(pathlib.Path.cwd()), directory)
        search = Search(laboratory, only, say)
        stopped = False
        try:
            search.run()
        except KeyboardInterrupt:
            stopped = True
        if search.original is None:
            raise GraphdoctorError("stopped before the program was run: nothing is known")
        result = search.result(remarks_on(search, place, timeout, stopped))
        report = _report(search, result)
        if patch is not None:
            _write_patch(patch, result)
        if output is not None:
            write_report(report, output)
        _print(report, result, as_json)
        if write and result.is_proven:
            replace_files(search.changes(), named=program[:1])
            _say(f"{count(len(result.kept), 'edit')} written to {', '.join(result.edited)}")
    status = _status(search, result, write)
    if status == 2:
        say_if_without_tensorflow(interpreter)
    sys.exit(status)


def _temporary_directory() -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix="graphdoctor-fix-", ignore_cleanup_errors=True)
    except OSError as error:
        raise GraphdoctorError(
            f"the copies need a temporary directory: {error.strerror}; TMPDIR names another"
        ) from error


def _command(module: str | None, program: Sequence[str]) -> list[str]:
    if module is not None:
        return ["-m", module, *program]
    if not program:
        raise LaunchError("no program given: try `graphdoctor fix train.py`")
    if not pathlib.Path(program[0]).is_file():
        what = "is a directory" if pathlib.Path(program[0]).is_dir() else "does not exist"
        raise LaunchError(f"{program[0]} {what}; give a Python file, or a module with -m")
    return list(program)


def _refuse_unknown(only: Sequence[str]) -> None:
    for one in only:
        if not selected_rules((one.upper(), one), ()):
            raise GraphdoctorError(f"--only {one}: no rule is called so; `graphdoctor rule` lists them")


def _report(search: Search, result: FixResult) -> Report:
    from graphdoctor.version import __version__

    original = search.original.report if search.original else None
    return replace(original or Report(graphdoctor=__version__, complete=False), fix_result=result)


def _write_patch(path: str, result: FixResult) -> None:
    try:
        pathlib.Path(path).write_bytes(result.diff.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise GraphdoctorError(f"--diff {path}: cannot be written: {error.strerror}") from error


def _print(report: Report, result: FixResult, as_json: bool) -> None:
    if as_json:
        click.echo(report.to_json(), nl=False)
        return
    from graphdoctor.reports.fix_result import render_fix_result

    for line in for_standard_output(render_fix_result(result)).splitlines():
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.secho(line, fg=colour)


def _status(search: Search, result: FixResult, written: bool) -> int:
    if search.original is not None and search.original.report is None:
        return 2 if search.original.ended.status or search.original.ended.stopped else 0
    if result.has_edits and not (written and result.is_proven):
        return 1
    return 1 if result.remaining or any(one.reason for one in result.tried) else 0


def _say(text: str) -> None:
    click.echo(f"graphdoctor: {printable(text)}", err=True)
