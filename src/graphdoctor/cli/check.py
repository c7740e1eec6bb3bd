"""`graphdoctor check PATH…`: what can go wrong, from the source."""

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click
from msgspec.structs import replace

from graphdoctor.cli.completing import complete_files, complete_rules
from graphdoctor.cli.terminal import for_standard_output
from graphdoctor.config import Config, load_config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging import check_paths
from graphdoctor.judging.files import default_jobs
from graphdoctor.model import Level, Report, Severity, Threshold, shown
from graphdoctor.model.words import count
from graphdoctor.verdict import threshold

if TYPE_CHECKING:
    from graphdoctor.fixing import Outcome

STANDARD_INPUT = "-"


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
@click.option("--why", metavar="FILE:LINE", help="Show what is known of the values on a line, and no more.")
@click.option("--statistics", is_flag=True, help="Show how often each rule fired, and no more.")
@click.option("--baseline", metavar="FILE", help="Leave out the findings that this file knows.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings of today to this file.")
@click.option("--stdin-filename", metavar="NAME", help="Read standard input, as if it were this file.")
@click.option("--recording", metavar="FILE", help="Keep what the dry run saw, for `graphdoctor report FILE`.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use (default: all processors).")
@click.option("--no-cache", is_flag=True, help="Forget what was found in unchanged files.")
@click.option("--all", "everything", is_flag=True, help="Also show notes and low-confidence findings.")
@click.option(
    "--min-confidence",
    type=click.Choice([level.value for level in Level], case_sensitive=False),
    help="The least confidence that is shown, and fails (default: MEDIUM).",
)
@click.option(
    "--fail-severity",
    type=click.Choice([severity.value for severity in Severity], case_sensitive=False),
    help="Exit with 1 only for findings of this severity or a worse one (default: SLOW).",
)
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
    why: str | None,
    statistics: bool,
    baseline: str | None,
    write_baseline: str | None,
    stdin_filename: str | None,
    recording: str | None,
    jobs: int | None,
    no_cache: bool,
    everything: bool,
    min_confidence: str | None,
    fail_severity: str | None,
    exit_zero: bool,
    output_format: str,
    output: str | None,
) -> None:
    """Look for graph-mode pitfalls in Python files, notebooks and directories (default: here; `-` is
    standard input).

    A dry run: follows the program on values that may be unknown, as TensorFlow would trace it, through
    calls, classes and imports. Executes nothing of what it reads, and needs no TensorFlow.

    The last line says how many functions were looked at in a graph, and what was not followed and why.
    `--recording FILE`, then `graphdoctor report --functions FILE`, tells it function by function.

    \b
    # noqa: GD101        at the end of a line silences a rule there
    [tool.graphdoctor]   in pyproject.toml holds select, extend-select, ignore, per-file-ignores, exclude,
                         leave-out, keras, min-confidence, fail-severity

    Shown are errors, wrong results and slow code of HIGH or MEDIUM confidence. Notes and findings of LOW
    confidence are counted in the last line; `--all` shows them.

    Exit codes: 0 nothing shown, 1 something shown, 2 a file could not be checked.

    \b
    graphdoctor check src/
    graphdoctor check train.py --diff --unsafe-fixes
    graphdoctor check . --select GD1 --ignore GD103
    """
    config = _configure(load_config(os.getcwd()), select, ignore, extend_select)
    if why is not None:
        from graphdoctor.cli.why import say_why

        say_why(why, paths, config)
        return
    limit = threshold(
        config, min_confidence=min_confidence, fail_severity=fail_severity, everything=everything
    )
    chosen = paths or (".",)
    if stdin_filename is not None or STANDARD_INPUT in paths:
        from graphdoctor.judging import check_text
        from graphdoctor.source.files import decode

        if STANDARD_INPUT in paths and len(paths) > 1:
            raise GraphdoctorError("`-` is standard input, and stands alone")
        if fix or diff:
            raise GraphdoctorError("--fix and --diff change files, not standard input")
        if recording is not None:
            raise GraphdoctorError("--recording keeps what files show, not standard input")
        name = stdin_filename or "<stdin>"
        report = check_text(name, decode(name, sys.stdin.buffer.read()), config)
        _finish(report, limit, explain, statistics, output_format, output, exit_zero)
    _refuse_empty_directories(chosen, config)
    if fix or diff:
        from graphdoctor.fixing import fix_paths, notebook_fixes

        outcome = fix_paths(chosen, config, unsafe=unsafe_fixes, write=fix and not diff)
        shown = notebook_fixes(chosen, config, unsafe=unsafe_fixes)
        if diff:
            click.echo(for_standard_output(outcome.diff + shown.diff), nl=False)
            _say(f"{_fixes(outcome)[0]} would be applied {_fixes(outcome)[1]}")
        else:
            _say(f"{_fixes(outcome)[0]} applied {_fixes(outcome)[1]}")
        if shown.applied:
            reported = "" if diff else ": --diff shows what to change"
            _say(f"{_fixes(shown)[0]} in {count(shown.files, 'notebook')} cannot be applied{reported}")
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
    _finish(report, limit, explain, statistics, output_format, output, exit_zero)


def _finish(
    report: Report,
    limit: Threshold,
    explain: bool,
    statistics: bool,
    output_format: str,
    output: str | None,
    exit_zero: bool,
) -> NoReturn:
    from graphdoctor.judging.same_cause import grouped

    whole = grouped(report)
    report = shown(whole, limit)
    if statistics:
        from graphdoctor.reports.lines import render_statistics

        click.echo(render_statistics(report), nl=False)
    else:
        complete = output_format == "json" or (output or "").endswith((".json", ".html"))
        _write(whole if complete else report, output_format, output, explain)
    failing = any(map(limit.fails, whole.findings))
    status = 2 if not whole.complete else 1 if failing else 0
    sys.exit(0 if exit_zero else status)


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
