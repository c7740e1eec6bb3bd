"""`graphdoctor diagnose MODULE:TRAINER`: before the long run, a few steps and a checklist."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Callable
from typing import Any

import click
import msgspec

from graphdoctor.cli.interpreter import say_if_without_tensorflow
from graphdoctor.diagnosis.diagnosis import Diagnosis, diagnose
from graphdoctor.diagnosis.planned import LongRun
from graphdoctor.errors import ConfigError, GraphdoctorError
from graphdoctor.model.words import count, duration
from graphdoctor.observer.launch import choose_python

MARKS = {True: "✔", False: "✘", None: "·"}


@click.command("diagnose", short_help="before the long run: config, shapes, N steps, retraces, advice")
@click.argument("target", metavar="MODULE:TRAINER")
@click.option(
    "--config", "config_path", metavar="FILE", help="Handed to the trainer's factory: .yaml, .json or .toml."
)
@click.option("--steps", type=click.IntRange(2), default=10, show_default=True, help="Steps of each kind.")
@click.option(
    "--long-run",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Steps of the run to come, for which batches are planned.",
)
@click.option("--python", metavar="PYTHON", help="The interpreter [default: the active environment's].")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Also write the diagnosis: .html or .json (or the report alone, as `run` does).",
)
def diagnose_command(
    target: str,
    config_path: str | None,
    steps: int,
    long_run: int,
    python: str | None,
    output: str | None,
) -> None:
    """Build a trainer, do a few train, accumulation and validation steps, and say what is wrong.

    MODULE is a module or a file. TRAINER is an object with `batches()` and `train_step(batch)`, and perhaps
    `accumulate_step`, `validation_step`, `validation_batches`; or a compiled Keras model: alone (with made-up
    data), as `(model, dataset)`, `(model, dataset, validation)` or `(model, x, y)`; or a factory of these,
    which takes nothing, the configuration, or its settings by name. Exit code 0: healthy, 1: not, 2: could
    not be run.

    \b
    graphdoctor diagnose train:make_trainer --config config.yaml --steps 10
    graphdoctor diagnose train.py:model
    """
    if output is not None and not output.endswith(".json"):
        from graphdoctor.reports.formats import format_for

        format_for(output)
    config = read_config(config_path) if config_path else None
    interpreter = choose_python(python)
    found = diagnose(target, config, steps, interpreter, long_run)
    click.echo(render(found))
    if found.error:
        say_if_without_tensorflow(interpreter)
    if output is not None:
        _write(found, output)
    sys.exit(2 if found.error else 0 if found.healthy else 1)


def read_config(path: str) -> dict[str, Any]:
    """The mapping in a .yaml, .json or .toml file."""
    decode: dict[str, Callable[[bytes], Any]] = {
        ".yaml": msgspec.yaml.decode,
        ".yml": msgspec.yaml.decode,
        ".json": msgspec.json.decode,
        ".toml": msgspec.toml.decode,
    }
    suffix = pathlib.Path(path).suffix
    if suffix not in decode:
        raise ConfigError(f"{path}: expected a configuration in .yaml, .json or .toml")
    try:
        values = decode[suffix](pathlib.Path(path).read_bytes())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    except ImportError as error:
        raise ConfigError(f"{path}: reading {suffix} needs another package: {error}") from None
    except msgspec.DecodeError as error:
        raise ConfigError(f"{path} is not valid: {' '.join(str(error).split())}") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: expected settings by name, got {type(values).__name__}")
    return values


def render(found: Diagnosis) -> str:
    """The checklist, the advice, and the conclusion."""
    width = max((len(check.name) for check in found.checks), default=0)
    lines = [f"{MARKS[check.passed]} {check.name:<{width}}  {check.sentence}" for check in found.checks]
    if found.advice:
        lines += ["", "Advice, by the seconds it would have saved in these steps:"]
        for one in found.advice:
            lines += [f"  {duration(one.seconds):>7}  {one.cause}", f"           → {one.fix}"]
    if found.long_run is not None:
        lines += ["", *_render_long_run(found.long_run)]
    if found.error:
        return "\n".join([*lines, "", f"The trainer could not be run: {found.error}"])
    if found.report is not None:
        rules = sorted({f"{one.rule} {one.name}" for one in found.report.findings if one.observed})
        lines += ["", f"Rules: {', '.join(rules)} (see `graphdoctor rule`)"] if rules else []
    return "\n".join([*lines, "", _conclusion(found)])


def _render_long_run(plan: LongRun) -> list[str]:
    """A table of the ways to make the batches, the cheapest first, with today's at the end."""
    ways = [*plan.ways, plan.today]
    width = max(len(way.title) for way in ways)
    lines = [f"Batches for {plan.steps:,} steps, {plan.sentence()}:"]
    for way in ways:
        least = "at least " if way is plan.today else ""
        made = f"{least}{count(way.traces, 'trace')}"
        made += f", {least}{count(way.compilations, 'compilation')}" if way.compilations else ""
        padding = f"{100 * way.padding:.0f} % padding"
        lines.append(f"  {duration(way.seconds):>7}  {way.title:<{width}}  {made}, {padding}")
    if plan.saved > 0:
        lines.append(f"  → {plan.ways[0].title} saves at least {duration(plan.saved)}")
    return lines


def _conclusion(found: Diagnosis) -> str:
    if not found.healthy:
        failed = [check.name for check in found.checks if check.passed is False]
        return f"Not ready: {', '.join(failed)}." if failed else "Not ready."
    missing = [check.name for check in found.checks if check.missing]
    if missing:
        return f"Healthy in what was seen; not seen: {', '.join(missing)}."
    return "Healthy: ready for the long run."


def _write(found: Diagnosis, output: str) -> None:
    suffix = pathlib.Path(output).suffix.lower()
    if suffix == ".html":
        from graphdoctor.reports.diagnosis_page import render_diagnosis

        text = render_diagnosis(found).encode()
    elif suffix == ".json":
        text = msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"
    else:
        if found.report is not None:
            from graphdoctor.reports import write_report

            write_report(found.report, output)
        return
    try:
        pathlib.Path(output).write_bytes(text)
    except OSError as error:
        raise GraphdoctorError(f"{output} cannot be written: {error.strerror}") from None
