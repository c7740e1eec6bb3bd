"""`graphdoctor fix PROGRAM ARGS…`: run, mend a copy, run again, compare: the cure with its proof."""

import os
import pathlib
import sys
import tempfile
from collections.abc import Sequence

import click
from msgspec.structs import replace

from graphdoctor.cli.completing import complete_files, complete_rules
from graphdoctor.cli.program import ProgramCommand
from graphdoctor.config import load_config
from graphdoctor.errors import GraphdoctorError, LaunchError
from graphdoctor.fixing.copies import find_place
from graphdoctor.fixing.notes import remarks_on
from graphdoctor.fixing.processes import Processes
from graphdoctor.fixing.search import Search
from graphdoctor.fixing.trials import Laboratory
from graphdoctor.fixing.writing import replace_files
from graphdoctor.model import Report
from graphdoctor.model.fix_result import Cure
from graphdoctor.model.words import count, printable
from graphdoctor.observer.launch import choose_python
from graphdoctor.reports.formats import format_for, write_report
from graphdoctor.rules.registry import selected_rules


@click.command(
    "fix",
    cls=ProgramCommand,
    short_help="the cure with its proof: run, mend a copy, run again, compare",
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
    help="Mend only these: ids, prefixes or names.",
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
    """Find the edits that cure a program, and prove them by running it.

    Runs the program, observed; applies the fixes of what is found to a copy; runs the copy; and compares
    exit code, output, what graph functions returned, final variables, traces and seconds. An edit that does
    not help, or changes what is computed, is left out, and the reason is said. Where the program dies or is
    silently wrong, the edited one has to equal its own eager run.

    THE PROGRAM RUNS SEVERAL TIMES, each time from a fresh copy of its directory, with the same arguments,
    environment and input. What it writes to other places it writes each time. Your files are changed only
    with --apply, and only by edits that are proven.

    What a fix must change is no difference: a new gradient has to agree with a numerical derivative, a line
    has to be printed at each call. What two runs of the original differ in (times, speeds) is left out, and
    named. Random numbers are seeded, unless the program does so itself.

    Exit codes: 0 nothing to mend, or all mended by --apply · 1 something to mend, or left · 2 an error.

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
    runner = Processes(choose_python(python), timeout, shown=not quiet)
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
        cure = search.cure(remarks_on(search, place, timeout, stopped))
        report = _report(search, cure)
        if patch is not None:
            _write_patch(patch, cure)
        if output is not None:
            write_report(report, output)
        _print(report, cure, as_json)
        if write and cure.is_proven:
            replace_files(search.changes(), named=program[:1])
            _say(f"{count(len(cure.kept), 'edit')} written to {', '.join(cure.edited)}")
    sys.exit(_status(search, cure, write))


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


def _report(search: Search, cure: Cure) -> Report:
    from graphdoctor.version import __version__

    original = search.original.report if search.original else None
    return replace(original or Report(graphdoctor=__version__, complete=False), cure=cure)


def _write_patch(path: str, cure: Cure) -> None:
    try:
        pathlib.Path(path).write_bytes(cure.diff.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise GraphdoctorError(f"--diff {path}: cannot be written: {error.strerror}") from error


def _print(report: Report, cure: Cure, as_json: bool) -> None:
    if as_json:
        click.echo(report.to_json(), nl=False)
        return
    from graphdoctor.reports.fix_result import render_cure

    for line in render_cure(cure).splitlines():
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        click.secho(line, fg=colour)


def _status(search: Search, cure: Cure, written: bool) -> int:
    if search.original is not None and search.original.report is None:
        return 2 if search.original.ended.status or search.original.ended.stopped else 0
    if cure.has_edits and not (written and cure.is_proven):
        return 1
    return 1 if cure.left or any(one.reason for one in cure.mended) else 0


def _say(text: str) -> None:
    click.echo(f"graphdoctor: {printable(text)}", err=True)
