"""Findings as single lines: for editors and grep, and for GitHub's annotations."""

from collections import Counter

from graphdoctor.model import Finding, Level, Report, Severity, Span
from graphdoctor.model.words import printable

COMMANDS = {
    Severity.ERROR: "error",
    Severity.WRONG: "error",
    Severity.SLOW: "warning",
    Severity.NOTE: "notice",
}


def render_concise(report: Report) -> str:
    """`path:line:column: SLOW GD101 message`, one line for each finding; reasons where it is not certain."""
    return "".join(
        printable(f"{place(f)}: {f.severity.value} {f.rule} {f.message}{_in_brackets(f)}{_star(f)}") + "\n"
        for f in report.findings
    )


def confidence_text(finding: Finding) -> str:
    """`medium confidence: nothing in the project uses it`; empty where it is high."""
    level, reasons = finding.confidence.level, finding.confidence.reasons
    return "" if level is Level.HIGH else f"{level.value.lower()} confidence: {'; '.join(reasons)}"


def _in_brackets(finding: Finding) -> str:
    text = confidence_text(finding)
    return f" ({text})" if text else ""


def place(finding: Finding) -> str:
    """Where a finding is, as editors understand it; a notebook's cell stands before the line."""
    cell = f"cell {finding.cell}:" if finding.cell is not None else ""
    return f"{finding.path}:{cell}{finding.line}:{finding.column}"


def _star(finding: Finding) -> str:
    return f" [{finding.fix.safety.value} fix]" if finding.fix and finding.fix.edits else ""


def render_github(report: Report) -> str:
    """Workflow commands that GitHub shows beside the lines of a pull request."""
    return "".join(_annotation(finding) for finding in report.findings)


def _annotation(finding: Finding) -> str:
    where = f"file={_property(finding.path)}"
    if finding.cell is None:
        where += f",line={finding.line},col={finding.column}"
        where += f",endLine={finding.end_line},endColumn={finding.end_column}"
    title = _property(f"{finding.severity.value} {finding.rule} {finding.name}")
    message = _data(in_cell(finding) + finding.message + _in_brackets(finding))
    return printable(f"::{COMMANDS[finding.severity]} title={title},{where}::{message}") + "\n"


def in_cell(span: Span) -> str:
    """For formats that know files and their lines only: the place within a notebook, in words."""
    return "" if span.cell is None else f"cell {span.cell}, line {span.line}: "


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def render_statistics(report: Report) -> str:
    """How often each rule fired, the most frequent first."""
    counts = Counter((finding.rule, finding.name) for finding in report.findings)
    width = max((len(str(number)) for number in counts.values()), default=1)
    return "".join(
        f"{number:>{width}}  {rule} {name}\n"
        for (rule, name), number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
