"""What a run found, with the edits that only the source shows."""

import os
from collections.abc import Collection, Iterable

import msgspec
from msgspec.structs import replace

from graphdoctor.config import Config
from graphdoctor.errors import GraphdoctorError
from graphdoctor.judging import check_paths
from graphdoctor.model import Evidence, Finding, Report, Safety, Severity
from graphdoctor.source.sites import Sources

RAISING = (Severity.ERROR, Severity.WRONG)
NEAR_LINES = 2


def with_source_fixes(
    report: Report,
    directory: str,
    config: Config,
    *,
    died: bool,
    ran: Collection[str] = (),
    everything: bool = False,
    foreseen: list[Finding] | None = None,
) -> Report:
    """The report of a run with edits from `check` of the same files, where the run knows none.

    `ran` are the files of the program that took part: one of them may hold the place to edit. A program that
    died did not come to all that is wrong with it: what `check` foresees beside what killed it is added,
    where there is an edit for it. With `everything`, all that it foresees is added.
    `foreseen` is what `check` finds, where that is known.
    """
    lacking = [finding for finding in report.findings if not is_mendable(finding)]
    if not lacking and not died and not everything:
        return report
    if foreseen is None:
        foreseen = check_copy({*ran, *(finding.path for finding in report.findings)}, directory, config)
    mendable = [one for one in foreseen if is_mendable(one)]
    findings = [_mended(finding, mendable, report.findings) for finding in report.findings]
    findings = [_caused(finding, mendable, Sources(directory, config.keras)) for finding in findings]
    known = {(finding.rule, finding.path, finding.line) for finding in findings}
    added = foreseen if everything else mendable if died else []
    wanted = (*RAISING, Severity.SLOW) if everything else RAISING
    new = {
        (one.rule, one.path, one.line): one
        for one in reversed(added)
        if one.severity in wanted and one.is_shown
    }
    findings += [replace(new[key], evidence=Evidence.SOURCE) for key in reversed(new) if key not in known]
    return replace(report, findings=tuple(findings))


def is_mendable(finding: Finding) -> bool:
    """Whether there is an edit that may be tried."""
    return any(fix.safety is not Safety.MANUAL for fix in finding.fixes)


def check_copy(paths: Iterable[str], directory: str, config: Config) -> list[Finding]:
    """What `check` finds in files, with the paths as a run names them."""
    files = [os.path.join(directory, path) for path in sorted(paths)]
    try:
        found = check_paths([file for file in files if os.path.isfile(file)], config).findings
    except GraphdoctorError:
        return []
    text = msgspec.json.encode(found).replace(f'"{directory.rstrip(os.sep)}{os.sep}'.encode(), b'"')
    return msgspec.json.decode(text, type=list[Finding])


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


def _caused(finding: Finding, foreseen: list[Finding], sources: Sources) -> Finding:
    """What fails, with the edits of what else `check` finds in the same function: that may be the cause."""
    around = sources.function_around(finding.path, finding.line)
    if is_mendable(finding) or finding.severity not in RAISING or around is None:
        return finding
    there = [one for one in foreseen if sources.function_around(one.path, one.line) == around]
    fixes = [fix for one in sorted(there, key=lambda one: abs(one.line - finding.line)) for fix in one.fixes]
    return replace(finding, fix=fixes[0], alternatives=tuple(fixes[1:])) if fixes else finding


def _is_like(one: Finding, other: Finding) -> bool:
    near = one.line - NEAR_LINES <= other.line <= one.end_line + NEAR_LINES
    return (one.rule, one.path) == (other.rule, other.path) and near
