"""What Python does while tracing only, from the source → in how many of a run's calls it was done."""

from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, Observed
from graphdoctor.recording import History
from graphdoctor.recording.format import MUST, SHOWN
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.registry import find_rule


def with_counts(finding: Finding, facts: Facts) -> Finding:
    """The finding with the figures of the run, where there were calls that ran the graph alone.

    TensorFlow counts the eager calls of a function itself; `run --calls` is not needed for it.
    """
    rule = find_rule(finding.rule)
    history = next((h for h in facts.histories if h.function == finding.function), None)
    if rule is None or not rule.effect or history is None or finding.evidence is not Evidence.SOURCE:
        return finding
    traced, calls = _traced(history), history.calls
    if calls is None or calls <= traced:
        return finding
    return replace(
        finding,
        evidence=Evidence.BOTH,
        message=f"{rule.effect} ran in {min(traced, calls)} of {calls} calls: only while "
        f"`{history.function.name}` was traced",
        observed=Observed(traces=0, seconds=0.0, calls=calls - traced),
        severity=finding.severity if _was_certain(finding) else rule.severity,
        certainty=None,
    )


def _was_certain(finding: Finding) -> bool:
    certainty = finding.certainty
    return certainty is None or (certainty.reached == MUST and certainty.traced == SHOWN)


def _traced(history: History) -> int:
    return sum(trace.failed is None for trace in history.traces)
