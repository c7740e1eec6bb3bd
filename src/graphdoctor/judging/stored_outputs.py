"""Exceptions that a notebook is foretold: a note, where what it has stored shows that the cell ran."""

import functools
from collections.abc import Iterable

from msgspec.structs import replace

from graphdoctor.errors import SourceError
from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.rules.registry import find_rule
from graphdoctor.source.files import read_bytes
from graphdoctor.source.notebooks import cells_that_ran

COUNTED = (Severity.ERROR, Severity.WRONG)
LOST_TOO = ("GD212",)  # what the next trace does not find is lost, and raises nothing


def lowered_where_it_ran(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, as notes where a cell is to raise that was run, and has no exception among its outputs.

    What another program is foretold at the same place did not raise there either. What is silently wrong
    or slow runs all the same, and stays as severe as it is.
    """
    ran = functools.cache(_ran)
    told = list(findings)
    refuted = {
        _claim(finding) for finding in told if _is_to_raise(finding) and _cell(finding) in ran(_path(finding))
    }
    return [
        replace(finding, severity=Severity.NOTE)
        if _is_to_raise(finding) and _claim(finding) in refuted
        else finding
        for finding in told
    ]


def _claim(finding: Finding) -> object:
    return finding.rule, finding.place


def _is_to_raise(finding: Finding) -> bool:
    """Whether a rule foretells an exception, however certain it is that a run comes to it."""
    if finding.evidence is not Evidence.SOURCE or finding.severity not in COUNTED:
        return False
    rule = find_rule(finding.rule)
    raises = rule is not None and rule.severity is Severity.ERROR and finding.rule not in LOST_TOO
    return raises or finding.severity is Severity.ERROR


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
