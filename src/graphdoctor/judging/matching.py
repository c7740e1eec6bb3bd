"""Findings that speak of the same thing → one."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from graphdoctor.judging.common_fixes import common_fix
from graphdoctor.model import Difference, Evidence, Finding, Observed, Severity, Span
from graphdoctor.model.phrases import phrase
from graphdoctor.rules.registry import find_rule
from graphdoctor.source.sites import Sources

MOST_COMPANIONS = 4
UNEXPLAINED = "GD900"
EVIDENCE = (Evidence.BOTH, Evidence.RUN, Evidence.SOURCE)  # the best first


def reported_once(
    findings: list[Finding], sources: Sources, predicted: Sequence[Finding] = ()
) -> list[Finding]:
    """One finding for each cause, and one for each failure; `predicted` is all that the source shows."""
    return _one_per_cause(_one_per_place(_one_per_failure(_at_their_causes(findings, sources, predicted))))


def _at_their_causes(
    findings: list[Finding], sources: Sources, predicted: Sequence[Finding]
) -> list[Finding]:
    """Where a failure has its cause elsewhere: the place of the cause, the words of the run.

    A cause that was not traced itself is taken when it is the only one of its rule.
    """
    reported = list(findings)
    for failure in findings:
        if failure.evidence is not Evidence.RUN or not (failure.observed and failure.observed.failed):
            continue
        causes = [other for other in reported if _is_cause(other, failure, sources)]
        if not causes and len(alone := [f for f in predicted if _predicts(f, failure)]) == 1:
            causes = [other for other in reported if _is_same(other, alone[0])]
            if not causes:
                reported.append(alone[0])
                causes = alone
        if failure.rule == UNEXPLAINED and len(causes) > 1:
            continue
        named = [cause for cause in causes if _first_name(cause) == _first_name(failure)]
        for cause in (named or causes)[:1]:
            reported.remove(failure)
            reported[reported.index(cause)] = _joined(cause, failure)
    return reported


def _is_same(finding: Finding, predicted: Finding) -> bool:
    """Whether a finding is one that was predicted, and stands among the others already."""
    places = [(f.rule, f.path, f.line, f.column) for f in (finding, predicted)]
    return finding.evidence is not Evidence.RUN and places[0] == places[1]


def _predicts(predicted: Finding, failure: Finding) -> bool:
    return predicted.evidence is Evidence.SOURCE and predicted.rule == failure.rule


def _is_cause(predicted: Finding, failure: Finding, sources: Sources) -> bool:
    """Whether a finding of the source explains a failure: of the same rule, or of one that explains more."""
    rule = find_rule(predicted.rule)
    if predicted.evidence is Evidence.RUN or rule is None or rule.family is not Severity.ERROR:
        return False
    if predicted.path != failure.path:
        return False
    around = sources.function_around(failure.path, failure.line)
    near = around is not None and around == sources.function_around(predicted.path, predicted.line)
    if failure.rule == UNEXPLAINED:
        return near
    needed_there = any((r.path, r.line) == (failure.path, failure.line) for r in predicted.related)
    return predicted.rule == failure.rule and (near or needed_there or predicted.function == failure.function)


def _first_name(finding: Finding) -> str:
    """What a finding is about: the first `name` in its message."""
    return finding.message.partition("`")[2].partition("`")[0]


def _joined(source: Finding, run: Finding) -> Finding:
    """The exact place from the source, the words and figures from the run, the fix that has edits."""
    explained = run.rule != UNEXPLAINED
    preferred = run if explained and (source.fix is None or (run.fixes and not source.fixes)) else source
    return replace(
        run,
        **{name: getattr(source, name) for name in (*Span.__struct_fields__, "rule", "name")},
        evidence=Evidence.BOTH,
        function=source.function,
        reached=source.reached,
        argument=run.argument or source.argument,
        message=run.message if explained else source.message,
        fix=preferred.fix,
        alternatives=preferred.alternatives,
        related=tuple(dict.fromkeys(source.related + run.related)),
    )


def _one_per_failure(findings: list[Finding]) -> list[Finding]:
    """An exception has one reason: what source and run both show outweighs TensorFlow's words."""
    best: dict[int, Finding] = {}
    for finding in findings:
        for number in _failed(finding):
            best[number] = min(best.get(number, finding), finding, key=_vagueness)
    return [f for f in findings if not _failed(f) or any(best[number] is f for number in _failed(f))]


def _one_per_place(findings: list[Finding]) -> list[Finding]:
    """What a line does in several functions that Keras traces is reported once, at the exact place."""
    alike: dict[object, list[Finding]] = {}
    for finding in findings:
        alike.setdefault((finding.rule, finding.path, finding.cell), []).append(finding)
    again = {
        id(finding)
        for group in alike.values()
        for number, finding in enumerate(group)
        if any(_tells_it(other, finding, n < number) for n, other in enumerate(group) if n != number)
    }
    return [finding for finding in findings if id(finding) not in again]


def _tells_it(other: Finding, finding: Finding, earlier: bool) -> bool:
    """Whether another finding of the rule tells of the same place, more exactly or with more evidence."""
    if finding.argument or other.argument or finding.observed or finding.evidence is Evidence.BOTH:
        return False
    if _extent(other) == _extent(finding):
        ranks = EVIDENCE.index(other.evidence), EVIDENCE.index(finding.evidence)
        return ranks[0] < ranks[1] or (ranks[0] == ranks[1] and earlier)
    (first, last), (start, end) = _extent(finding), _extent(other)
    seen_only = other.evidence is Evidence.BOTH and finding.evidence is Evidence.RUN
    return seen_only and first <= start and end <= last and _first_name(other) == _first_name(finding)


def _extent(finding: Finding) -> tuple[tuple[int, int], tuple[int, int]]:
    return (finding.line, finding.column), (finding.end_line, finding.end_column)


def _failed(finding: Finding) -> tuple[int, ...]:
    """The traces that failed for the reason that a finding gives."""
    return finding.observed.explains if finding.observed and finding.observed.failed else ()


def _vagueness(finding: Finding) -> tuple[bool, bool]:
    rule = find_rule(finding.rule)
    vague = rule is not None and any(text.vague for text in rule.failures)
    return finding.evidence is not Evidence.BOTH, vague


def _one_per_cause(findings: list[Finding]) -> list[Finding]:
    """Arguments that change in the same retraces have one cause: reported once, with its seconds."""
    companions: dict[int, list[Finding]] = {}
    by_size = sorted(filter(_retraced, findings), key=lambda finding: -len(_retraced(finding)))
    leaders: list[Finding] = []
    for finding in by_size:
        leader = next((other for other in leaders if _covers(other, finding)), None)
        if leader is None:
            leaders.append(finding)
        else:
            companions.setdefault(id(leader), []).append(finding)
    rest = {id(finding) for group in companions.values() for finding in group}
    return [_with(f, companions.get(id(f), ())) for f in findings if id(f) not in rest]


def _retraced(finding: Finding) -> tuple[int, ...]:
    observed = finding.observed
    seen = observed is not None and observed.traces and finding.argument is not None
    return observed.explains if observed is not None and seen else ()


def _covers(leader: Finding, finding: Finding) -> bool:
    same = leader.function == finding.function
    return same and set(_retraced(finding)) <= set(_retraced(leader))


def _with(leader: Finding, companions: Iterable[Finding]) -> Finding:
    """The finding, with what changes at the same time."""
    others = list(companions)
    if not others or leader.observed is None:
        return leader
    uncured = {number for other in others if other.fix is None for number in _retraced(other)}
    helpless = uncured >= set(_retraced(leader))  # each of them would still be traced for another reason
    seen = [other.observed for other in others if other.observed is not None]
    return replace(
        leader,
        message=f"{leader.message}; {_companions(leader, others)}",
        observed=replace(leader.observed, differences=_all_differences(leader.observed, seen)),
        fix=None if helpless else common_fix(leader.fix, [other.fix for other in others]),
        alternatives=() if helpless else leader.alternatives,
    )


def _companions(leader: Finding, others: list[Finding]) -> str:
    """`a`, `b` change with it; and where another rule speaks of it: `x` has another shape (GD103)."""
    alike = [f"`{other.argument}`" for other in others if other.rule == leader.rule]
    shown = ", ".join(alike[:MOST_COMPANIONS]) + (", …" if len(alike) > MOST_COMPANIONS else "")
    reported = [f"{shown} {'changes' if len(alike) == 1 else 'change'} with it"] if alike else []
    for other in others:
        if other.rule != leader.rule and other.observed is not None and other.observed.differences:
            words = phrase(other.argument, other.observed.differences[0].change)
            reported.append(f"at the same time {words} ({other.rule})")
    return "; ".join(reported)


def _all_differences(leader: Observed, others: list[Observed]) -> tuple[Difference, ...]:
    return tuple(dict.fromkeys(d for observed in (leader, *others) for d in observed.differences))
