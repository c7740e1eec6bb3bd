"""`graphdoctor check PATH…`: what can go wrong, from the source."""

import pathlib
import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from graphdoctor.cli.completing import complete_files, complete_rules
from graphdoctor.config import Config, load_config
from graphdoctor.engine import check_paths
from graphdoctor.errors import GraphdoctorError
from graphdoctor.model import Report
from graphdoctor.model.words import count
from graphdoctor.rules.registry import selected_rules

if TYPE_CHECKING:
    from graphdoctor.fixing import Outcome


@click.command("check", short_help="what can go wrong, from the source")
@click.argument("paths", nargs=-1, metavar="PATH…", shell_complete=complete_files)
@click.option("--fix", is_flag=True, help="Apply the fixes that are safe.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also those that are not.")
@click.option("--diff", is_flag=True, help="Show what the fixes would change; change nothing.")
@click.option(
    "--select",
    multiple=True,
    shell_complete=complete_rules,
    metavar="RULES",
    help="Only these: ids, prefixes or names.",
)
@click.option("--ignore", multiple=True, shell_complete=complete_rules, metavar="RULES", help="Not these.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also when something is found.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
)
@click.option("-o", "--output", metavar="FILE", help="Write there; the extension says the format.")
def check_command(
    paths: tuple[str, ...],
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    exit_zero: bool,
    output_format: str,
    output: str | None,
) -> None:
    """Look for graph-mode pitfalls in Python files and directories (default: here).

    Executes nothing of what it reads, and needs no TensorFlow.

    \b
    # noqa: GD101        at the end of a line silences a rule there
    [tool.graphdoctor]   in pyproject.toml holds select, ignore, exclude, keras

    Exit codes: 0 nothing found, 1 something found, 2 something named cannot be read.

    \b
    graphdoctor check src/
    graphdoctor check train.py --diff --unsafe-fixes
    graphdoctor check . --select GD1 --ignore GD103
    """
    config = _configure(load_config(pathlib.Path.cwd()), select, ignore)
    chosen = paths or (".",)
    _refuse_empty_directories(chosen, config)
    if fix or diff:
        from graphdoctor.fixing import fix_paths

        outcome = fix_paths(chosen, config, unsafe=unsafe_fixes, write=fix and not diff)
        if diff:
            click.echo(outcome.diff, nl=False)
            _say(f"{_fixes(outcome)[0]} would be applied {_fixes(outcome)[1]}")
            sys.exit(1 if outcome.applied and not exit_zero else 0)
        _say(f"{_fixes(outcome)[0]} applied {_fixes(outcome)[1]}")
    report = check_paths(chosen, config)
    _write(report, output_format, output)
    sys.exit(1 if report.findings and not exit_zero else 0)


def _configure(config: Config, select: tuple[str, ...], ignore: tuple[str, ...]) -> Config:
    """The project's configuration with the command line's choices on top; a choice of nothing is an error."""
    config = replace(
        config,
        select=_split(select) or config.select,
        ignore=(*config.ignore, *_split(ignore)),
    )
    for chosen in (*config.select, *config.ignore):
        if not selected_rules((chosen,), ()):
            raise GraphdoctorError(f"no rule is called {chosen}: `graphdoctor rule` lists them")
    return config


def _split(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _refuse_empty_directories(paths: tuple[str, ...], config: Config) -> None:
    from graphdoctor.source import find_files

    for path in paths:
        if pathlib.Path(path).is_dir() and not any(find_files([path], config.exclude)):
            raise GraphdoctorError(f"{path}: there is no Python file in this directory")


def _write(report: Report, output_format: str, output: str | None) -> None:
    if output is not None:
        from graphdoctor.reports import write_report

        write_report(report, output)
    elif output_format == "json":
        click.echo(report.to_json(), nl=False)
    elif report.findings:
        from rich.console import Console

        from graphdoctor.reports.terminal import print_report

        print_report(report, Console(highlight=False))
    else:
        click.echo("No findings.")


def _fixes(outcome: "Outcome") -> tuple[str, str]:
    applied = f"{outcome.applied} fix{'' if outcome.applied == 1 else 'es'}"
    return applied, f"in {count(outcome.files, 'file')}"


def _say(text: str) -> None:
    click.echo(text, err=True)
