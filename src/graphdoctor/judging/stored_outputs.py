"""Exceptions that a notebook is foretold: a note, where what it has stored shows that the cell ran."""

import functools
from collections.abc import Iterable

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.source.files import read_bytes
from graphdoctor.source.notebooks import cells_that_ran


def lowered_where_it_ran(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes where a cell is to raise that was run, and has no exception among its outputs.

    What is silently wrong or slow runs all the same, and stays as severe as it is.
    """
    ran = functools.cache(_ran)
    return [
        replace(finding, severity=Severity.NOTE)
        if _is_to_raise(finding) and _cell(finding) in ran(_path(finding))
        else finding
        for finding in findings
    ]


def _is_to_raise(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.evidence is Evidence.SOURCE


def _path(finding: Finding) -> str:
    return (finding.reached[0] if finding.reached else finding).path


def _cell(finding: Finding) -> int | None:
    """The cell that begins what leads to the finding."""
    return (finding.reached[0] if finding.reached else finding).cell


def _ran(path: str) -> frozenset[int]:
    """The code cells of a notebook that ran to their end."""
    if not path.endswith(".ipynb"):
        return frozenset()
    try:
        return cells_that_ran(path, read_bytes(path))
    except SourceError:
        return frozenset()
