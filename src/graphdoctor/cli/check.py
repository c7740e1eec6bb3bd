"""`graphdoctor check PATH…`: what can go wrong, from the source."""

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click
from msgspec.structs import replace

from graphdoctor.cli.completing import complete_files, complete_rules
from graphdoctor.config import Config, load_config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging import check_paths
from graphdoctor.judging.files import default_jobs
from graphdoctor.model import Report
from graphdoctor.model.words import count

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
    help="Only these: ids, prefixes, names or families (ERROR, WRONG, SLOW, NOTE).",
)
@click.option(
    "--extend-select", multiple=True, shell_complete=complete_rules, metavar="RULES", help="These as well."
)
@click.option("--ignore", multiple=True, shell_complete=complete_rules, metavar="RULES", help="Not these.")
@click.option("--explain", is_flag=True, help="Show why each function counts as traced.")
@click.option("--statistics", is_flag=True, help="Show how often each rule fired, and no more.")
@click.option("--baseline", metavar="FILE", help="Leave out the findings that this file knows.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings of today to this file.")
@click.option("--stdin-filename", metavar="NAME", help="Read standard input, as if it were this file.")
@click.option("--recording", metavar="FILE", help="Keep what the dry run saw, for `graphdoctor report FILE`.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use (default: all processors).")
@click.option("--no-cache", is_flag=True, help="Forget what was found in unchanged files.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 also when something is found.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "concise", "json", "sarif", "github"]),
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
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    explain: bool,
    statistics: bool,
    baseline: str | None,
    write_baseline: str | None,
    stdin_filename: str | None,
    recording: str | None,
    jobs: int | None,
    no_cache: bool,
    exit_zero: bool,
    output_format: str,
    output: str | None,
) -> None:
    """Look for graph-mode pitfalls in Python files and directories (default: here).

    A dry run: follows the program on values that may be unknown, as TensorFlow would trace it, through
    calls, classes and imports. Executes nothing of what it reads, and needs no TensorFlow.

    The last line says how many functions were looked at in a graph, and what was not followed and why.
    `--recording FILE`, then `graphdoctor report --functions FILE`, tells it function by function.

    \b
    # noqa: GD101        at the end of a line silences a rule there
    [tool.graphdoctor]   in pyproject.toml holds select, extend-select, ignore, per-file-ignores, exclude,
                         leave-out, keras

    Exit codes: 0 nothing found, 1 something found, 2 something named cannot be read.

    \b
    graphdoctor check src/
    graphdoctor check train.py --diff --unsafe-fixes
    graphdoctor check . --select GD1 --ignore GD103
    """
    config = _configure(load_config(os.getcwd()), select, ignore, extend_select)
    chosen = paths or (".",)
    if stdin_filename is not None:
        from graphdoctor.judging import check_text

        if recording is not None:
            raise GraphdoctorError("--recording keeps what files show, not standard input")
        text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
        report = check_text(stdin_filename, text, config)
        _finish(report, explain, statistics, output_format, output, exit_zero)
    _refuse_empty_directories(chosen, config)
    if fix or diff:
        from graphdoctor.fixing import fix_paths, notebook_fixes

        outcome = fix_paths(chosen, config, unsafe=unsafe_fixes, write=fix and not diff)
        shown = notebook_fixes(chosen, config, unsafe=unsafe_fixes)
        if diff:
            click.echo(outcome.diff + shown.diff, nl=False)
            _say(f"{_fixes(outcome)[0]} would be applied {_fixes(outcome)[1]}")
        else:
            _say(f"{_fixes(outcome)[0]} applied {_fixes(outcome)[1]}")
        if shown.applied:
            told = "" if diff else ": --diff shows what to change"
            _say(f"{_fixes(shown)[0]} in {count(shown.files, 'notebook')} cannot be applied{told}")
        if diff:
            sys.exit(1 if (outcome.applied or shown.applied) and not exit_zero else 0)
    report = check_paths(
        chosen,
        config,
        cache=not no_cache,
        jobs=jobs or default_jobs(),
        progress=_show_progress if sys.stderr.isatty() else None,
        recording=recording,
    )
    if write_baseline is not None:
        from graphdoctor.cli.baseline import save_baseline

        save_baseline(report, write_baseline)
        _say(f"{count(len(report.findings), 'finding')} written to {write_baseline}")
        sys.exit(0)
    if baseline is not None:
        from graphdoctor.cli.baseline import without_known

        report = without_known(report, baseline)
    _finish(report, explain, statistics, output_format, output, exit_zero)


def _finish(
    report: Report, explain: bool, statistics: bool, output_format: str, output: str | None, exit_zero: bool
) -> NoReturn:
    from graphdoctor.judging.same_cause import grouped

    report = grouped(report)
    if statistics:
        from graphdoctor.reports.lines import render_statistics

        click.echo(render_statistics(report), nl=False)
    else:
        _write(report, output_format, output, explain)
    sys.exit(1 if report.findings and not exit_zero else 0)


def _show_progress(done: int, total: int) -> None:
    """One line that overwrites itself, on a terminal only."""
    click.echo(f"\rchecked {done:,} of {total:,} files" if done < total else "\r\033[K", err=True, nl=False)


def _configure(
    config: Config, select: tuple[str, ...], ignore: tuple[str, ...], extend: tuple[str, ...] = ()
) -> Config:
    """The project's configuration with the command line's choices on top; a choice of nothing is an error."""
    config = replace(
        config,
        select=_split(select) or config.select,
        ignore=(*config.ignore, *_split(ignore)),
        extend_select=(*config.extend_select, *_split(extend)),
    )
    quiet = [rule for rules in config.per_file_ignores.values() for rule in rules]
    for chosen in (*config.select, *config.ignore, *config.extend_select, *quiet):
        from graphdoctor.rules.registry import selected_rules

        if not selected_rules((chosen,), ()):
            raise GraphdoctorError(f"no rule is called {chosen}: `graphdoctor rule` lists them")
    return config


def _split(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


def _refuse_empty_directories(paths: tuple[str, ...], config: Config) -> None:
    from graphdoctor.source.files import find_files

    for path in paths:
        if os.path.isdir(path) and not any(find_files([path], config.exclude)):
            raise GraphdoctorError(f"{path}: there is no Python file in this directory")


def _write(report: Report, output_format: str, output: str | None, explain: bool) -> None:
    if output is not None:
        from graphdoctor.reports import write_report

        write_report(report, output)
    elif output_format != "text":
        from graphdoctor.reports.formats import render

        click.echo(render(report, output_format), nl=False)
    elif report.findings:
        from rich.console import Console

        from graphdoctor.reports.terminal import print_report

        print_report(report, Console(highlight=False), explain=explain)
    else:
        from graphdoctor.reports.summary import summary

        click.echo(summary(report))


def _fixes(outcome: "Outcome") -> tuple[str, str]:
    applied = f"{outcome.applied} fix{'' if outcome.applied == 1 else 'es'}"
    return applied, f"in {count(outcome.files, 'file')}"


def _say(text: str) -> None:
    click.echo(text, err=True)
