"""Findings of one rule that have one cause → one, with its other places."""

from collections.abc import Hashable, Iterable

from msgspec.structs import replace

from graphdoctor.judging.copies import one_per_copy
from graphdoctor.judging.joined import joined
from graphdoctor.model import Evidence, Finding, Report, Severity

ALSO = "the same here"


def grouped(report: Report) -> Report:
    """The report with one finding for each cause; what a run has seen stays as it is."""
    return replace(report, findings=tuple(one_per_copy(one_per_cause(report.findings))))


def one_per_cause(findings: Iterable[Finding]) -> list[Finding]:
    """Each cause once, where it is met first.

    An exception ends the trace, whatever stands behind it: of one rule, the first place is reported. What
    goes wrong without a word has one cause where it is about the same name in the same function.
    """
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        cause = _cause(finding)
        groups.setdefault(id(finding) if cause is None else cause, []).append(finding)
    return [joined(group, ALSO) for group in groups.values()]


def _cause(finding: Finding) -> Hashable | None:
    if finding.function is None or finding.evidence is not Evidence.SOURCE:
        return None
    kind = finding.rule, finding.path, finding.cell, finding.severity, finding.is_shown
    if finding.severity is not Severity.ERROR:
        return kind, finding.function, finding.argument or _first_name(finding)
    begin = finding.reached[0] if finding.reached else finding.function
    return kind, begin.path, begin.line


def _first_name(finding: Finding) -> str:
    return finding.message.partition("`")[2].partition("`")[0]
