"""`graphdoctor report RECORDING…`: the report of a recording again."""

import pathlib

import click

from graphdoctor.config import load_config
from graphdoctor.engine import judge_recordings
from graphdoctor.recording import read_recording


@click.command("report", short_help="the report of a recording again")
@click.argument("recordings", nargs=-1, required=True, metavar="RECORDING…")
@click.option("-o", "--output", metavar="FILE", help="Write there; the extension says the format.")
def report_command(recordings: tuple[str, ...], output: str | None) -> None:
    """Explain what was recorded by `graphdoctor run`; needs no TensorFlow."""
    read = tuple(read_recording(path) for path in recordings)
    report = judge_recordings(read, load_config(pathlib.Path.cwd()))
    if output is not None:
        from graphdoctor.reports import write_report

        write_report(report, output)
        return
    from rich.console import Console

    from graphdoctor.reports.run import print_run

    print_run(report, Console(highlight=False))
