"""`graphdoctor report RECORDING…`: the report of a recording again."""

import pathlib
import sys

import click

from graphdoctor.cli.completing import complete_files
from graphdoctor.cli.limits import limits, verdict
from graphdoctor.config import load_config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import shown
from graphdoctor.recording import Selection, find_recordings, read_recordings
from graphdoctor.verdict import Allowance, threshold


@click.command("report", short_help="the report of a recording again")
@click.argument("recordings", nargs=-1, required=True, metavar="RECORDING…", shell_complete=complete_files)
@click.option("-o", "--output", metavar="FILE", help="Write there; the extension says the format.")
@click.option(
    "--functions", is_flag=True, help="Of `check --recording`: what became of each function, and why."
)
@click.option("--all", "everything", is_flag=True, help="Also show notes and low-confidence findings.")
@limits
def report_command(
    recordings: tuple[str, ...],
    output: str | None,
    functions: bool,
    everything: bool,
    selection: Selection,
    allowance: Allowance,
) -> None:
    """Explain what was recorded by `graphdoctor run` or `check --recording`; needs no TensorFlow.

    Several recordings, or a directory of them, are taken for the processes of one run.
    """
    files = [file for path in recordings for file in find_recordings(path)]
    read = tuple(recording for file in files for recording in read_recordings(file))
    if functions:
        from graphdoctor.reports.functions import render_functions

        click.echo(render_functions(read), nl=False)
        sys.exit(0)
    config = load_config(pathlib.Path.cwd())
    report = judge_recordings(read, config, selection)
    if output is not None:
        from graphdoctor.reports import write_report

        write_report(report, output)
    else:
        from rich.console import Console

        from graphdoctor.reports.run import print_run

        print_run(shown(report, threshold(config, everything=everything)), Console(highlight=False))
    sys.exit(verdict(report, allowance))
