"""What a run amounted to, in front of its findings."""

from rich.console import Console

from graphdoctor.model import Account, HeldUp, ProcessSummary, Report, RunSummary
from graphdoctor.model.words import count, duration, printable, share
from graphdoctor.recording.format import INPUT, TRACING
from graphdoctor.reports.summary import worst_cause
from graphdoctor.reports.terminal import print_report
from graphdoctor.reports.time_account import time_lines

MOST_PROCESSES = 16
LEAST_REPORTED = 0.0005  # a millisecond, rounded


def print_run(report: Report, console: Console) -> None:
    """The summary of a run, its findings, and what was traced."""
    if report.time is not None:
        for line in time_lines(report.time):
            console.print(line, soft_wrap=True, markup=False)
    if report.run is not None:
        console.print(printable(run_summary(report, report.run)), style="bold", soft_wrap=True, markup=False)
        if report.run.account is not None and report.run.traces:
            console.print(f"  {accounted(report.run.account)}", soft_wrap=True, markup=False)
        for remark in report.run.remarks:
            console.print(f"  {printable(remark)}", soft_wrap=True, markup=False)
        for line in process_lines(report.run):
            console.print(f"  {printable(line)}", soft_wrap=True, markup=False)
        console.print()
    print_report(report, console)


def run_summary(report: Report, run: RunSummary) -> str:
    """`TensorFlow 2.21.0: 415 traces took 97 s of 310 s (31 %); one cause explains 412 of them (93 s)`"""
    if not run.traces:
        return f"TensorFlow {report.tensorflow}: nothing was traced in {duration(report.run_seconds)}"
    text = f"TensorFlow {report.tensorflow}: {count(run.traces, 'trace')} took "
    text += f"{duration(run.tracing_seconds)} of {duration(report.run_seconds)} "
    text += f"({share(run.tracing_seconds, report.run_seconds)})"
    return text + worst_cause(report, run)


def accounted(account: Account) -> str:
    """`97 % explained: findings 93 s, first traces 0.9 s, benign 0.2 s; nothing explains 2.9 s`"""
    parts = [
        (account.found_seconds, "findings"),
        (account.first_seconds, "first traces"),
        (account.benign_seconds, "benign"),
    ]
    reported = ", ".join(
        f"{name} {duration(seconds)}" for seconds, name in parts if seconds >= LEAST_REPORTED
    )
    left = account.unexplained_seconds
    if left < LEAST_REPORTED:
        return f"all of it explained: {reported}" if reported else "all of it explained"
    explained = share(account.seconds - left, account.seconds)
    return (
        f"{explained} of it explained{f': {reported}' if reported else ''}; nothing explains {duration(left)}"
    )


def process_lines(run: RunSummary) -> list[str]:
    """Which of several processes kept the others waiting, and what each did."""
    if not run.processes:
        return []
    first = run.processes[0]
    others = count(len(run.processes) - 1, "other process").replace("processs", "processes")
    lines = [
        f"{_name(first)} traced alone for {duration(first.alone_seconds)}: "
        f"where processes step together, {others} waited for it"
    ]
    lines += [
        f"{_name(process)} {_held_up(held)}" for process in run.processes for held in process.held_up[:3]
    ]
    shown = run.processes[:MOST_PROCESSES]
    lines += [
        f"{_name(process)}: {count(process.traces, 'trace')}, "
        f"{duration(process.tracing_seconds)} of {duration(process.seconds)}"
        for process in shown
    ]
    hidden = len(run.processes) - len(shown)
    return [*lines, f"… and {hidden} more"] if hidden else lines


def _held_up(held: HeldUp) -> str:
    where = f" ({held.path}:{held.line})" if held.path else ""
    if held.kind == TRACING:
        return f"held up the others for {duration(held.seconds)}: it alone traced `{held.name}`{where}"
    doing = "waited for input" if held.kind == INPUT else "compiled"
    return f"{doing} for {duration(held.seconds)} longer than any other{where}"


def _name(process: ProcessSummary) -> str:
    rank = f"rank {process.rank}" if process.rank is not None and not process.worker else process.worker
    parts = [part for part in (rank, f"on {process.host}" if process.host else "") if part]
    return f"process {process.process}" + (f" ({' '.join(parts)})" if parts else "")
