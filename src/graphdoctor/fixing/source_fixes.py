"""The findings of a run, with edits that only static analysis knows."""

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
    predicted: list[Finding] | None = None,
) -> Report:
    """The report of a run with edits from `check` of the same files, where the run has none.

    `ran` are the files of the program that ran: one of them may hold the place to edit. A program that died
    did not reach all of its defects: findings of `check` that have an edit are added. With `everything`, all
    its findings are added. `predicted` is what `check` finds, where that is known.
    """
    lacking = [finding for finding in report.findings if not is_fixable(finding)]
    if not lacking and not died and not everything:
        return report
    if predicted is None:
        predicted = check_copy({*ran, *(finding.path for finding in report.findings)}, directory, config)
    fixable = [one for one in predicted if is_fixable(one)]
    findings = [_with_edits(finding, fixable, report.findings) for finding in report.findings]
    findings = [_caused(finding, fixable, Sources(directory, config.keras)) for finding in findings]
    wanted = (*RAISING, Severity.SLOW) if everything else RAISING
    added = predicted if everything else fixable if died else []
    findings += _new(added, findings, wanted)
    return replace(report, findings=tuple(findings))


def _new(added: list[Finding], findings: Iterable[Finding], wanted: Collection[Severity]) -> list[Finding]:
    """What is added to findings: the first of each rule on a line of which they say nothing."""
    known = {(finding.rule, finding.path, finding.line) for finding in findings}
    new = {
        (one.rule, one.path, one.line): one
        for one in reversed(added)
        if one.severity in wanted and one.is_shown
    }
    return [replace(new[key], evidence=Evidence.SOURCE) for key in reversed(new) if key not in known]


def is_fixable(finding: Finding) -> bool:
    """Whether it has an edit that may be tried."""
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


def _with_edits(finding: Finding, predicted: list[Finding], found: Iterable[Finding]) -> Finding:
    """The finding with the edits of a predicted one of its rule: on a near line, or the only one."""
    if is_fixable(finding):
        return finding
    alike = [one for one in predicted if _is_like(one, finding)]
    like = min(alike, key=lambda one: abs(one.line - finding.line), default=None)
    if like is None and sum(one.rule == finding.rule for one in found) == 1:
        elsewhere = [one for one in predicted if one.rule == finding.rule]
        like = elsewhere[0] if len(elsewhere) == 1 else None
    return finding if like is None else replace(finding, fix=like.fix, alternatives=like.alternatives)


def _caused(finding: Finding, predicted: list[Finding], sources: Sources) -> Finding:
    """A failure with the edits of other findings of `check` in the same function: they may be the cause."""
    around = sources.function_around(finding.path, finding.line)
    if is_fixable(finding) or finding.severity not in RAISING or around is None:
        return finding
    there = [one for one in predicted if sources.function_around(one.path, one.line) == around]
    fixes = [fix for one in sorted(there, key=lambda one: abs(one.line - finding.line)) for fix in one.fixes]
    return replace(finding, fix=fixes[0], alternatives=tuple(fixes[1:])) if fixes else finding


def _is_like(one: Finding, other: Finding) -> bool:
    near = one.line - NEAR_LINES <= other.line <= one.end_line + NEAR_LINES
    return (one.rule, one.path) == (other.rule, other.path) and near
