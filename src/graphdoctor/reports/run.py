"""What a run amounted to, in front of its findings."""

from rich.console import Console

from graphdoctor.model import Account, ProcessSummary, Report, RunSummary
from graphdoctor.model.words import count, duration, printable, share
from graphdoctor.reports.summary import worst_cause
from graphdoctor.reports.terminal import print_report

MOST_PROCESSES = 16
LEAST_TOLD = 0.0005  # a millisecond, rounded


def print_run(report: Report, console: Console) -> None:
    """The summary of a run, its findings, and what was traced."""
    if report.run is not None:
        console.print(run_summary(report, report.run), style="bold", soft_wrap=True)
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
        return f"TensorFlow {report.tensorflow}: nothing was traced in {duration(run.seconds)}"
    text = f"TensorFlow {report.tensorflow}: {count(run.traces, 'trace')} took "
    text += f"{duration(run.tracing_seconds)} of {duration(run.seconds)} "
    text += f"({share(run.tracing_seconds, run.seconds)})"
    return text + worst_cause(report, run)


def accounted(account: Account) -> str:
    """`97 % explained: findings 93 s, first traces 0.9 s, benign 0.2 s; nothing explains 2.9 s`"""
    parts = [
        (account.found_seconds, "findings"),
        (account.first_seconds, "first traces"),
        (account.benign_seconds, "benign"),
    ]
    told = ", ".join(f"{name} {duration(seconds)}" for seconds, name in parts if seconds >= LEAST_TOLD)
    left = account.unexplained_seconds
    if left < LEAST_TOLD:
        return f"all of it explained: {told}" if told else "all of it explained"
    explained = share(account.seconds - left, account.seconds)
    return f"{explained} of it explained{f': {told}' if told else ''}; nothing explains {duration(left)}"


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
    shown = run.processes[:MOST_PROCESSES]
    lines += [
        f"{_name(process)}: {count(process.traces, 'trace')}, "
        f"{duration(process.tracing_seconds)} of {duration(process.seconds)}"
        for process in shown
    ]
    hidden = len(run.processes) - len(shown)
    return [*lines, f"… and {hidden} more"] if hidden else lines


def _name(process: ProcessSummary) -> str:
    worker = f" ({process.worker})" if process.worker else ""
    return f"process {process.process}{worker}"
