"""The user's source around the lines that a report speaks of."""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator

from graphdoctor.model import Finding, Report
from graphdoctor.reports.sources import SourceTexts

CONTEXT_LINES = 4
MOST_CHARACTERS = 400
Document = tuple[str, int | None]


@dataclasses.dataclass(frozen=True)
class Piece:
    """A stretch of a line, marked when a finding is about it."""

    text: str
    marked: bool


@dataclasses.dataclass(frozen=True)
class Line:
    """One line; `hidden` lines before it are not shown."""

    number: int
    pieces: tuple[Piece, ...]
    operations: int
    findings: tuple[Finding, ...]
    hidden: int


@dataclasses.dataclass(frozen=True)
class Listing:
    """The lines of one file or notebook cell that matter; none when it cannot be read here."""

    path: str
    cell: int | None
    lines: tuple[Line, ...]


def listings(report: Report, texts: SourceTexts) -> tuple[Listing, ...]:
    """Every file that a finding or a traced function stands in, the most talked-about first."""
    findings: dict[Document, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        findings[finding.path, finding.cell].append(finding)
    places = [*findings, *((function.path, None) for function in report.functions)]
    return tuple(
        Listing(path, cell, tuple(_lines(report, (path, cell), findings[path, cell], texts)))
        for path, cell in dict.fromkeys(places)
        if path
    )


def _lines(report: Report, place: Document, findings: list[Finding], texts: SourceTexts) -> Iterator[Line]:
    text = texts.text(*place)
    if text is None:
        return
    path, cell = place
    known = report.details.lines if report.details and cell is None else ()
    operations = {fact.line: fact.operations for fact in known if fact.path == path}
    defined = [f.line for f in report.functions if f.path == path and cell is None]
    lines = text.split("\n")
    shown = _around([*operations, *defined, *(finding.line for finding in findings)], len(lines))
    before = 0
    for number in shown:
        here = tuple(finding for finding in findings if finding.line == number)
        pieces = tuple(_pieces(lines[number - 1].rstrip("\r"), number, here))
        yield Line(number, pieces, operations.get(number, 0), here, number - before - 1)
        before = number


def _around(numbers: Iterable[int], last: int) -> list[int]:
    shown: set[int] = set()
    for number in numbers:
        shown.update(range(max(1, number - CONTEXT_LINES), min(last, number + CONTEXT_LINES) + 1))
    return sorted(shown)


def _pieces(text: str, number: int, findings: tuple[Finding, ...]) -> Iterator[Piece]:
    """The line cut where marks begin and end; a finding without columns marks the whole line."""
    text = text[:MOST_CHARACTERS] + ("…" if len(text) > MOST_CHARACTERS else "")
    marked = [False] * len(text)
    for finding in findings:
        start, end = finding.column - 1, finding.end_column - 1
        if finding.end_line != number:
            end = len(text)
        if end <= start:
            start, end = len(text) - len(text.lstrip()), len(text)
        for column in range(start, min(end, len(text))):
            marked[column] = True
    start = 0
    for column in range(1, len(text) + 1):
        if column == len(text) or marked[column] != marked[start]:
            yield Piece(text[start:column], marked[start])
            start = column
