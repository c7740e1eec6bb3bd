"""`graphdoctor diff BEFORE AFTER`: did the change help?"""

import pathlib

import click
import msgspec

from graphdoctor.cli.completing import complete_files
from graphdoctor.comparison import compare_reports
from graphdoctor.config import load_config
from graphdoctor.judging import judge_recordings
from graphdoctor.model.words import duration, printable
from graphdoctor.recording import read_recording


@click.command("diff", short_help="compare two recordings")
@click.argument("before", shell_complete=complete_files)
@click.argument("after", shell_complete=complete_files)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def diff_command(before: str, after: str, as_json: bool) -> None:
    """Compare two recordings of a program: traces and seconds of each function, findings gone and new."""
    config = load_config(pathlib.Path.cwd())
    first, second = (judge_recordings((read_recording(path),), config) for path in (before, after))
    comparison = compare_reports(first, second)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(comparison), indent=2))
        return
    for function in comparison.functions:
        click.echo(
            f"{printable(function.name)}  traces {function.traces_before} → {function.traces_after}  "
            f"{duration(function.seconds_before)} → {duration(function.seconds_after)}"
        )
    for word, findings in (("gone", comparison.gone), ("new", comparison.new)):
        for finding in findings:
            click.echo(printable(f"{word}: {finding.rule} {finding.name}: {finding.message}"))
    if not comparison.functions and not comparison.gone and not comparison.new:
        click.echo("Both runs traced the same, and say the same.")
