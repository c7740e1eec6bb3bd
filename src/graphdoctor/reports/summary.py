"""How much was found, and how much was looked at, in one line."""

from collections import Counter
from collections.abc import Sequence

from graphdoctor.model import Coverage, NotFollowed, NotShown, Report, RunSummary, Severity
from graphdoctor.model.words import count, duration, printable

MOST_ENTRIES = 3


def summary(report: Report) -> str:
    """The last line: how much was found, and in how much."""
    hidden = report.run.hidden if report.run is not None else ()
    if not report.findings:
        text = "No findings in what was asked for." if hidden else "No findings."
    else:
        fixable = sum(bool(f.fix and f.fix.edits) for f in report.findings if f.cell is None)
        text = f"{count(len(report.findings), 'finding')} ({_by_severity(report)})"
        text += f", {fixable} with a fix that can be applied." if fixable else "."
    text += not_shown_text(report)
    if hidden:
        text += f" {hidden_text(hidden)}"
    if report.coverage is not None:
        text += f" {coverage_text(report.coverage)}"
    return text if report.complete else text + " Incomplete: not everything could be looked at."


def _by_severity(report: Report) -> str:
    """`1 ERROR, 2 SLOW`."""
    counts = Counter(finding.severity for finding in report.findings)
    return ", ".join(f"{counts[severity]} {severity.value}" for severity in Severity if counts[severity])


def not_shown_text(report: Report) -> str:
    """` Not shown: 2 notes, 5 low-confidence findings (--all).`"""
    left = report.not_shown
    if not isinstance(left, NotShown):
        return ""
    notes = [count(left.notes, "note")] if left.notes else []
    low = [count(left.low_confidence, "low-confidence finding")] if left.low_confidence else []
    return f" Not shown: {', '.join([*notes, *low])} (--all)."


def hidden_text(hidden: Sequence[str]) -> str:
    """`2 more are hidden by --include or --exclude: GD101 train.py:8, GD215 train.py:14.`"""
    more = f" and {len(hidden) - MOST_ENTRIES} more" if len(hidden) > MOST_ENTRIES else ""
    named = printable(", ".join(hidden[:MOST_ENTRIES]))
    verb = "is" if len(hidden) == 1 else "are"
    return f"{len(hidden)} more {verb} hidden by --include or --exclude: {named}{more}."


def worst_cause(report: Report, run: RunSummary) -> str:
    """`; one cause explains 412 of them (93 s)`: its seconds where they are those of the traces alone."""
    worst = next((f.observed for f in report.findings if f.observed and f.observed.traces), None)
    if worst is None:
        return ""
    seconds = f" ({duration(worst.seconds)})" if worst.seconds <= run.tracing_seconds else ""
    return f"; one cause explains {worst.traces:,} of them{seconds}"


def coverage_text(coverage: Coverage) -> str:
    """`12 graph functions looked at; 1 entry not followed: train.py (budget).`"""
    text = f"{count(coverage.graph_functions, 'graph function')} looked at"
    entries = coverage.not_followed
    if entries:
        named = ", ".join(map(_named, entries[:MOST_ENTRIES]))
        more = f" and {len(entries) - MOST_ENTRIES} more" if len(entries) > MOST_ENTRIES else ""
        number = f"{len(entries)} {'entry' if len(entries) == 1 else 'entries'}"
        text += f"; {number} not followed: {named}{more}"
    return f"{text}."


def _named(entry: NotFollowed) -> str:
    name = "" if entry.name == "<module>" else f" {entry.name}"
    line = f":{entry.line}" if name or entry.line > 1 else ""
    return printable(f"{entry.path}{line}{name} ({entry.reason})")
