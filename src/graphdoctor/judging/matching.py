"""Findings of the source and findings of a run → one where both speak of the same thing."""

from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, Severity
from graphdoctor.source.sites import root_of


def merge(from_source: list[Finding], observed: list[Finding]) -> list[Finding]:
    """Both kinds of evidence, with one finding where both speak of the same thing."""
    waiting = list(observed)
    merged = []
    for finding in from_source:
        partner = next((other for other in waiting if _same_matter(finding, other)), None)
        if partner is None:
            merged.append(finding)
        else:
            waiting.remove(partner)
            merged.append(_joined(finding, partner))
    return merged + waiting


def _same_matter(source: Finding, run: Finding) -> bool:
    if (source.rule, source.function) != (run.rule, run.function):
        return False
    if source.argument is None or run.argument is None:
        return source.line == run.line or run.column == run.end_column
    return source.argument == root_of(run.argument)


def _joined(source: Finding, run: Finding) -> Finding:
    """The exact place from the source, the words and figures from the run."""
    return replace(
        source,
        evidence=Evidence.BOTH,
        severity=run.severity,
        argument=run.argument or source.argument,
        message=run.message,
        observed=run.observed,
        certainty=run.certainty,
        fix=source.fix or run.fix,
        related=source.related + run.related,
    )


def told_once(findings: list[Finding]) -> list[Finding]:
    """One finding where a failure has its cause elsewhere: the place of the cause, the words of the run."""
    told = list(findings)
    for failure in findings:
        if failure.evidence is not Evidence.RUN or not (failure.observed and failure.observed.failed):
            continue
        cause = next((other for other in told if _is_cause(other, failure)), None)
        if cause is not None:
            told.remove(failure)
            told[told.index(cause)] = _joined(cause, failure)
    return told


def _is_cause(foretold: Finding, failure: Finding) -> bool:
    if foretold.evidence is Evidence.RUN or foretold.severity is not Severity.ERROR:
        return False
    return (foretold.rule, foretold.function) == (failure.rule, failure.function)
