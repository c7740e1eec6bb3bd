"""What a run amounted to, in front of its findings."""

from rich.console import Console

from graphdoctor.model import Report
from graphdoctor.model.words import count, duration, share
from graphdoctor.recording import Recording
from graphdoctor.reports.terminal import print_report


def print_run(report: Report, recordings: tuple[Recording, ...], console: Console) -> None:
    """The summary of a run, its findings, and what was traced."""
    console.print(run_summary(report, recordings), style="bold", soft_wrap=True)
    for recording in recordings:
        for remark in _remarks(recording):
            console.print(f"  {remark}", soft_wrap=True)
    console.print()
    print_report(report, console)


def run_summary(report: Report, recordings: tuple[Recording, ...]) -> str:
    """`TensorFlow 2.21.0: 415 traces took 97 s of 310 s (31 %); one cause explains 412 of them.`"""
    total = sum(recording.seconds for recording in recordings)
    traces = sum(len(recording.traces) for recording in recordings)
    tracing = sum(trace.own_seconds for recording in recordings for trace in recording.traces)
    text = f"TensorFlow {report.tensorflow}: {count(traces, 'trace')} took {duration(tracing)}"
    text += f" of {duration(total)} ({share(tracing, total)})"
    found = [finding for finding in report.findings if finding.observed and finding.observed.traces]
    if found and found[0].observed:
        worst = found[0].observed
        text += f"; one cause explains {worst.traces} of them ({duration(worst.seconds)})"
    return text


def _remarks(recording: Recording) -> list[str]:
    remarks = [f"the observer had a problem: {problem}" for problem in recording.problems]
    if recording.end is None:
        remarks.append("the recording ends early: the program was killed, or is still running")
    return remarks
