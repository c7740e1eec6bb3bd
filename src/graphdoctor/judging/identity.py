"""Which findings of yesterday are those of today: what stays the same when lines move and words change."""

from collections.abc import Callable

from graphdoctor.model import Finding, Span


def identity(finding: Finding, text_of: Callable[[str, int | None], str | None]) -> str:
    """The file, the rule, the function and the text of the line; equal lines are distinguished by counting.

    Not the message: it holds figures, and its words may be fixed.
    """
    function = finding.function.name if finding.function else ""
    return f"{finding.path}|{finding.rule}|{function}|{_line(finding, text_of)}"


def _line(span: Span, text_of: Callable[[str, int | None], str | None]) -> str:
    """The line without indentation and with single blanks, which formatters change."""
    lines = (text_of(span.path, span.cell) or "").splitlines()
    return " ".join(lines[span.line - 1].split()) if 0 < span.line <= len(lines) else ""
