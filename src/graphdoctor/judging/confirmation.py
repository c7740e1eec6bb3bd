"""Errors that a run raised → the findings of the dry run that foresaw them."""

import dataclasses
from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, FunctionRef, Grounds, Observed, Severity
from graphdoctor.recording.format import Failure
from graphdoctor.recording.places import function_of
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule

SEVERAL_ITERATIONS = 3
RAISING = (Severity.ERROR, Severity.WRONG)


@dataclasses.dataclass(frozen=True, slots=True)
class _Failed:
    path: str
    first_line: int
    line: int
    function: FunctionRef | None
    seconds: float
    caught: bool
    trace: int
    recursion: str  # the function that called itself when it failed, which may have been anywhere in it


def confirm(findings: list[Finding], found: list[Finding], facts: Facts) -> list[Finding]:
    """The findings, with those among all that were found which an error of the run bears out."""
    reported = list(findings)
    predicted = [f for f in found if f.evidence is not Evidence.RUN and f.severity in RAISING and f.is_shown]
    doubted = [f for f in found if _is_doubted(f)]
    for failed in _failures(facts):
        foreseen = _foreseen(failed, predicted)
        if foreseen is None and any(_is_vague(f, failed) for f in reported):
            foreseen = _only_rule([f for f in doubted if _is_at(f, failed)])
        if foreseen is None or any(
            _is_same(foreseen, f) and f.evidence is not Evidence.SOURCE for f in reported
        ):
            continue
        reported = [f for f in reported if not _is_same(foreseen, f) and not _is_vague(f, failed)]
        numbers = (failed.trace,) if failed.trace else UNSET
        # An exception outside of any trace, as of a decorator, is no failed trace.
        observed = Observed(traces=0, failed=int(bool(failed.trace)), seconds=failed.seconds, numbers=numbers)
        borne_out = replace(foreseen, evidence=Evidence.BOTH, observed=observed)
        reported.append(borne_out.on(Grounds(claim=foreseen.severity, caught=failed.caught)))
    return reported


def _failures(facts: Facts) -> Iterator[_Failed]:
    traces = {trace.number: trace for recording in facts.recordings for trace in recording.traces}
    for failure in facts.of(Failure):
        trace = traces.get(failure.trace)
        if trace is not None and trace.library:
            continue
        place = failure.place
        yield _Failed(
            path=place.path if place else "",
            first_line=facts.sources.first_line(place.path, place.line) if place else 0,
            line=place.line if place else 0,
            function=function_of(trace.function) if trace else None,
            seconds=round(trace.own_seconds, 6) if trace else 0.0,
            caught=facts.judged_by_its_end(failure).caught,
            trace=failure.trace,
            recursion=_recursion(failure),
        )


def _recursion(failure: Failure) -> str:
    frame = failure.frame
    if frame is None or sum(other.place == frame.place for other in failure.chain) < SEVERAL_ITERATIONS:
        return ""
    return frame.function


def _foreseen(failed: _Failed, found: list[Finding]) -> Finding | None:
    """The one finding of the dry run that says what failed there; None when it could be several."""
    here = [f for f in found if _is_at(f, failed)]
    inside = [f for f in found if failed.function is not None and _leads_to(f, failed.function)]
    again = [
        f
        for f in found
        if failed.recursion and f.function and (f.path, f.function.name) == (failed.path, failed.recursion)
    ]
    return _only_rule(next(filter(None, (here, inside, again)), []))


def _is_at(finding: Finding, failed: _Failed) -> bool:
    """Whether a finding stands on the line, or in the statement, that raised."""
    return (
        finding.path == failed.path and finding.line <= failed.line and failed.first_line <= finding.end_line
    )


def _only_rule(candidates: list[Finding]) -> Finding | None:
    """The first of several findings, where one rule gives them all."""
    return candidates[0] if len({finding.rule for finding in candidates}) == 1 else None


def _is_doubted(finding: Finding) -> bool:
    """Whether the source alone shows an exception with little confidence, which a run may have raised."""
    raises = finding.severity is Severity.ERROR
    return finding.evidence is Evidence.SOURCE and raises and not finding.is_shown


def _leads_to(finding: Finding, function: FunctionRef) -> bool:
    """Whether a finding lies in a function, or in what that function calls."""
    begins = [(step.path, step.line) for step in finding.reached[:1]]
    return finding.function == function or (function.path, function.line) in begins


def _is_same(one: Finding, other: Finding) -> bool:
    return (one.rule, one.place) == (other.rule, other.place) or (
        one.rule == other.rule and one.path == other.path and one.line <= other.line <= one.end_line
    )


def _is_vague(finding: Finding, failed: _Failed) -> bool:
    """Whether a finding only repeats what TensorFlow said of a failure that is now understood."""
    at = (finding.path, finding.line) == (failed.path, failed.line)
    rule = find_rule(finding.rule)
    vague = rule is not None and any(text.vague for text in rule.failures)
    return at and vague and finding.evidence is Evidence.RUN
