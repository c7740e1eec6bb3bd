"""The user's own line, with a caret under what a finding is about."""

import functools
import os

from graphdoctor.model import Span
from graphdoctor.model.words import printable
from graphdoctor.reports.sources import SourceTexts

INDENT = 6


def excerpt(span: Span, remark: str, width: int, directory: str = "", masked: bool = False) -> list[str]:
    """The source line and the marks below it; nothing when the file cannot be read.

    Paths begin in the directory in which a recorded program ran; what is not there is looked for here.
    """
    line = _line(span, directory, masked)
    if line is None or not line.strip():
        return _below(remark, width) if remark else []
    text = line.expandtabs(4)
    start = len(line[: span.column - 1].expandtabs(4))
    end = len(line[: span.end_column - 1].expandtabs(4)) if span.end_line == span.line else len(text)
    if end <= start:  # a whole line: no column is known
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    text, start, end = _cut(text, start, end, max(30, width - INDENT))
    marks = " " * start + "^" * max(1, end - start)
    if not remark:
        return [" " * INDENT + text, " " * INDENT + marks]
    beside = f"{' ' * INDENT}{marks}   {remark}"
    if len(beside) <= width:
        return [" " * INDENT + text, beside]
    return [" " * INDENT + text, " " * INDENT + marks, *_below(remark, width)]


def _below(remark: str, width: int) -> list[str]:
    """A long list of values on a line of its own, cut between two of them."""
    room = max(30, width - INDENT)
    if len(remark) > room:
        remark = remark[: room - 3].rpartition(", ")[0] + ", …" if ", " in remark[: room - 3] else remark
    return [" " * INDENT + remark]


def _cut(text: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """The part of a line around the marks that fits, without its indentation."""
    indent = min(len(text) - len(text.lstrip()), start)
    text, start, end = text[indent:].rstrip(), start - indent, end - indent
    if end > room:
        shift = min(start, max(0, end - room + 1))
        text, start, end = "…" + text[shift + 1 :], start - shift, end - shift
    if len(text) > room:
        text = text[: room - 1] + "…"
    return text, start, min(end, len(text))


def _line(span: Span, directory: str, masked: bool) -> str | None:
    there = os.path.join(directory, span.path)
    lines = _lines(there, span.cell, masked) or _lines(span.path, span.cell, masked)
    return _shown(lines[span.line - 1]) if 0 < span.line <= len(lines) else None


def _shown(line: str) -> str:
    """The line with a sign in place of each character that a terminal would obey, as wide as it was."""
    if line.isprintable():
        return line
    return "".join(
        c if c == "\t" or c == printable(c) else "\N{REPLACEMENT CHARACTER}" for c in line.rstrip("\r")
    )


@functools.lru_cache(maxsize=64)
def _lines(path: str, cell: int | None, masked: bool) -> tuple[str, ...]:
    text = SourceTexts(masked=masked).text(path, cell)
    return tuple(text.split("\n")) if text is not None else ()
