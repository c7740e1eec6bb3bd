"""`graphdoctor tune PROGRAM ARGS…`: the training in other ways, each measured on a copy."""

import os
import pathlib
import sys
import tempfile

import click
import msgspec

from graphdoctor.cli.completing import complete_files
from graphdoctor.cli.interpreter import say_if_without_tensorflow
from graphdoctor.cli.program import ProgramCommand
from graphdoctor.config import load_config
from graphdoctor.errors import GraphdoctorError, LaunchError
from graphdoctor.fixing.copies import find_place
from graphdoctor.fixing.processes import Processes
from graphdoctor.fixing.trials import Laboratory
from graphdoctor.fixing.writing import replace_files
from graphdoctor.model.tuning import Tuning
from graphdoctor.model.words import printable
from graphdoctor.observer.launch import choose_python
from graphdoctor.tuning import Tuner


@click.command(
    "tune",
    cls=ProgramCommand,
    short_help="the training in other ways, measured",
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
)
@click.option("-m", "module", metavar="MODULE", help="Run a module, as `python -m` does.")
@click.option("--python", metavar="PYTHON", help="The interpreter [default: the active environment's].")
@click.option(
    "--steps", type=click.IntRange(16), default=32, show_default=True, help="Steps of training in each run."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop each run after this time.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="VARIANT",
    help="Only these variants, by name or group: graph, prefetch, parallel, cache, execution, precision.",
)
@click.option(
    "--mixed-precision",
    type=click.Choice(["mixed_float16", "mixed_bfloat16"]),
    help="Also with this policy of Keras; the results differ.",
)
@click.option("--diff", "patch", metavar="FILE", help="Also write the best variant as a patch.")
@click.option("--apply", "write", is_flag=True, help="Write the best variant to your files.")
@click.option("--json", "as_json", is_flag=True, help="Print what was measured as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Do not show what is being done.")
@click.argument(
    "program", nargs=-1, type=click.UNPROCESSED, metavar="PROGRAM ARGS…", shell_complete=complete_files
)
def tune_command(
    module: str | None,
    python: str | None,
    steps: int,
    timeout: float,
    only: tuple[str, ...],
    mixed_precision: str | None,
    patch: str | None,
    write: bool,
    as_json: bool,
    quiet: bool,
    program: tuple[str, ...],
) -> None:
    """Measure the training of a program in other ways, and show the fastest that computes the same.

    Finds the training step: in `fit`, in a loop that asks a gradient tape, or in a loop that calls a graph
    function. Then it runs copies of the program, each until some steps are done: as it is, with the step as
    `tf.function`, compiled by XLA, with prefetch, cache and parallel calls in the pipeline, and with
    `steps_per_execution`; and what helps together. They run in turn, three times each.

    A variant computes the same when the variables after the last step, the output and the exit code are those
    of the program as it is, as in `graphdoctor fix`. Only such a one can be the best.

    THE PROGRAM RUNS MANY TIMES, each time from a fresh copy of its directory, with the same arguments,
    environment and input. What it writes to other places it writes each time. Your files are changed only
    with --apply.

    Exit codes: 0 measured, whether something helps or not · 2 nothing could be measured.

    \b
    graphdoctor tune train.py --epochs 1
    graphdoctor tune --only prefetch --only cache --steps 200 train.py
    """
    place = find_place(_command(module, program), os.getcwd())
    say = (lambda text: None) if quiet else _say
    interpreter = choose_python(python)
    runner = Processes(interpreter, timeout, shown=False)
    with tempfile.TemporaryDirectory(prefix="graphdoctor-tune-", ignore_cleanup_errors=True) as directory:
        laboratory = Laboratory(place, runner, load_config(pathlib.Path.cwd()), directory)
        tuner = Tuner(laboratory, steps, say, only, mixed_precision or "")
        found = tuner.run()
        if patch is not None:
            _write(patch, found.diff)
        _print(found, as_json)
        if write and found.best:
            replace_files(tuner.changes(found.best), named=program[:1])
            _say(f"{found.best}: written")
    if any(one.factor is not None for one in found.alternatives):
        sys.exit(0)
    say_if_without_tensorflow(interpreter)
    sys.exit(2)


def _command(module: str | None, program: tuple[str, ...]) -> list[str]:
    if module is not None:
        return ["-m", module, *program]
    if not program:
        raise LaunchError("no program given: try `graphdoctor tune train.py`")
    if not pathlib.Path(program[0]).is_file() or program[0].endswith(".ipynb"):
        raise LaunchError(f"{program[0]} is no Python file; give one, or a module with -m")
    return list(program)


def _write(path: str, text: str) -> None:
    try:
        pathlib.Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise GraphdoctorError(f"--diff {path}: cannot be written: {error.strerror}") from error


def _print(found: Tuning, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    from graphdoctor.reports.tuning import render_tuning

    for line in render_tuning(found).splitlines():
        click.secho(line, fg={"+": "green", "-": "red", "@": "cyan"}.get(line[:1]))


def _say(text: str) -> None:
    click.echo(f"graphdoctor: {printable(text)}", err=True)
