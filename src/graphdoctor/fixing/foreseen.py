"""What a run found, with the edits that only the source shows."""

import os
from collections.abc import Collection, Iterable

import msgspec
from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging import check_paths
from graphdoctor.model import Evidence, Finding, Report, Safety, Severity

RAISING = (Severity.ERROR, Severity.WRONG)
NEAR_LINES = 2


def with_source_fixes(
    report: Report, directory: str, config: Config, *, died: bool, ran: Collection[str] = ()
) -> Report:
    """The report of a run with edits from `check` of the same files, where the run knows none.

    `ran` are the files of the program that took part: one of them may hold the place to edit. A program that
    died did not come to all that is wrong with it: what `check` foresees beside what killed it is added,
    where there is an edit for it.
    """
    lacking = [finding for finding in report.findings if not is_mendable(finding)]
    if not lacking and not died:
        return report
    foreseen = _check({*ran, *(finding.path for finding in report.findings)}, directory, config)
    findings = [_mended(finding, foreseen, report.findings) for finding in report.findings]
    known = {(finding.rule, finding.path, finding.line) for finding in findings}
    if died:
        findings += [
            replace(one, evidence=Evidence.SOURCE)
            for one in foreseen
            if one.severity in RAISING and (one.rule, one.path, one.line) not in known
        ]
    return replace(report, findings=tuple(findings))


def is_mendable(finding: Finding) -> bool:
    """Whether there is an edit that may be tried."""
    return any(fix.safety is not Safety.MANUAL for fix in finding.fixes)


def _check(paths: Iterable[str], directory: str, config: Config) -> list[Finding]:
    """What `check` finds in files and can mend, with the paths as a run names them."""
    files = [os.path.join(directory, path) for path in sorted(paths)]
    try:
        found = check_paths([file for file in files if os.path.isfile(file)], config).findings
    except GraphdoctorError:
        return []
    text = msgspec.json.encode(found).replace(f'"{directory.rstrip(os.sep)}{os.sep}'.encode(), b'"')
    return [finding for finding in msgspec.json.decode(text, type=list[Finding]) if is_mendable(finding)]


def _mended(finding: Finding, foreseen: list[Finding], found: Iterable[Finding]) -> Finding:
    """The finding with the edits of its like: near by, or elsewhere the only one of its rule."""
    if is_mendable(finding):
        return finding
    alike = [one for one in foreseen if _is_like(one, finding)]
    like = min(alike, key=lambda one: abs(one.line - finding.line), default=None)
    if like is None and sum(one.rule == finding.rule for one in found) == 1:
        elsewhere = [one for one in foreseen if one.rule == finding.rule]
        like = elsewhere[0] if len(elsewhere) == 1 else None
    return finding if like is None else replace(finding, fix=like.fix, alternatives=like.alternatives)


def _is_like(one: Finding, other: Finding) -> bool:
    near = one.line - NEAR_LINES <= other.line <= one.end_line + NEAR_LINES
    return (one.rule, one.path) == (other.rule, other.path) and near
