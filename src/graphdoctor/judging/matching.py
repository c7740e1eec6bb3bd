"""Findings that speak of the same thing → one."""

from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, Severity


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


def _joined(source: Finding, run: Finding) -> Finding:
    """The exact place from the source, the words and figures from the run, the fix that has edits."""
    preferred = run if source.fix is None or (run.fixes and not source.fixes) else source
    return replace(
        source,
        evidence=Evidence.BOTH,
        severity=run.severity,
        argument=run.argument or source.argument,
        message=run.message,
        observed=run.observed,
        certainty=run.certainty,
        fix=preferred.fix,
        alternatives=preferred.alternatives,
        related=source.related + run.related,
    )
