"""Findings in code that a project has several times → one, with where the copies of it are."""

import functools
from collections.abc import Hashable, Iterable

from graphdoctor.errors import SourceError
from graphdoctor.judging.joined import joined
from graphdoctor.model import Evidence, Finding
from graphdoctor.source.files import decode, read_bytes
from graphdoctor.source.notebooks import notebook_sources

COPY = "the same in a copy of this code"
AROUND = 10  # how many lines before it tell a line outside functions from others


def one_per_copy(findings: Iterable[Finding]) -> list[Finding]:
    """Each finding once, where it stands in several files in the same lines of the same function."""
    lines = functools.cache(_lines)
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        text = (
            _text(finding, lines(finding.path, finding.cell)) if finding.evidence is Evidence.SOURCE else ()
        )
        key = (
            (finding.rule, finding.severity, finding.is_shown, finding.message, text) if text else id(finding)
        )
        group = groups.setdefault(key, [])
        if any(other.path == finding.path for other in group):
            groups[id(finding)] = [finding]
        else:
            group.append(finding)
    return [joined(group, COPY) for group in groups.values()]


def _text(finding: Finding, lines: tuple[str, ...]) -> tuple[str, ...]:
    """What leads to the end of a finding: the lines of its cell, of its function, or some before it."""
    if finding.cell is not None:
        return lines[: finding.end_line]
    function = finding.function
    begins = function is not None and function.path == finding.path and function.line <= finding.line
    first = function.line if begins and function is not None else max(1, finding.line - AROUND)
    return lines[first - 1 : finding.end_line]


def _lines(path: str, cell: int | None) -> tuple[str, ...]:
    """The lines of a file, or of a cell of a notebook; none where they cannot be read."""
    try:
        data = read_bytes(path)
        if cell is None:
            return tuple(decode(path, data).splitlines())
        return tuple(notebook_sources(path, data)[cell - 1].splitlines())
    except (SourceError, IndexError):
        return ()
