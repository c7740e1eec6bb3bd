"""What the rules about side effects share: how many of a function's calls ran as Python at all."""

from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, Observed
from graphdoctor.recording import History
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Rule


def confirmed(rule: Rule, facts: Facts, what: str) -> Iterator[Finding]:
    """What the rule finds in the source of the functions that a run traced, with the figures of the run.

    Only where there were calls that ran the graph alone. TensorFlow counts the eager calls of a
    function itself; `run --calls` is not needed for it.
    """
    for history in facts.histories:
        yield from _confirmed(rule, history, facts, what)


def _confirmed(rule: Rule, history: History, facts: Facts, what: str) -> Iterator[Finding]:
    traced = sum(trace.failed is None for trace in history.traces)
    module = facts.sources.module(history.function.path)
    if module is None or history.calls is None or history.calls <= traced:
        return
    for finding in rule.check_source(module):
        if finding.function == history.function:
            yield replace(
                finding,
                evidence=Evidence.RUN,
                message=f"{what} ran in {min(traced, history.calls)} of {history.calls} calls: only while "
                f"`{history.function.name}` was traced",
                observed=Observed(traces=0, seconds=0.0, calls=history.calls - traced),
            )
