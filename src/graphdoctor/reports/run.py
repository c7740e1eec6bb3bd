"""What a run amounted to, in front of its findings."""

from rich.console import Console

from graphdoctor.model import Report, RunSummary
from graphdoctor.model.words import count, duration, share
from graphdoctor.reports.terminal import print_report


def print_run(report: Report, console: Console) -> None:
    """The summary of a run, its findings, and what was traced."""
    if report.run is not None:
        console.print(run_summary(report, report.run), style="bold", soft_wrap=True)
        for remark in report.run.remarks:
            console.print(f"  {remark}", soft_wrap=True)
        console.print()
    print_report(report, console)


def run_summary(report: Report, run: RunSummary) -> str:
    """`TensorFlow 2.21.0: 415 traces took 97 s of 310 s (31 %); one cause explains 412 of them (93 s)`"""
    text = f"TensorFlow {report.tensorflow}: {count(run.traces, 'trace')} took "
    text += f"{duration(run.tracing_seconds)} of {duration(run.seconds)} "
    text += f"({share(run.tracing_seconds, run.seconds)})"
    worst = next((f.observed for f in report.findings if f.observed and f.observed.traces), None)
    if worst is not None:
        text += f"; one cause explains {worst.traces:,} of them ({duration(worst.seconds)})"
    return text
