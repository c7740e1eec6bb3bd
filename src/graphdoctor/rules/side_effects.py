"""What the rules about side effects share: how many of a function's calls ran as Python at all."""

import dataclasses
from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Evidence, Finding, FunctionRef, Observed
from graphdoctor.recording import History
from graphdoctor.recording.format import SEEN, Effect
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


@dataclasses.dataclass(frozen=True)
class OnceOnly:
    """What Python did while tracing and later calls did not repeat: in words, with figures if it ran."""

    event: Effect
    function: FunctionRef
    message: str
    observed: Observed | None = None


def once_only(facts: Facts, event: Effect, what: str) -> OnceOnly | None:
    """The words for an effect; `what` did it (`` `print` ``). None when it happens in no known trace.

    Where a run called the function more often than it traced it, the run bears out what was foretold.
    """
    history = facts.history_of(event)
    if history is None:
        return None
    name, calls = history.function.name, history.calls
    traced = sum(trace.failed is None for trace in history.traces)
    if not history.is_seen or calls is None or calls <= traced:
        message = f"{what} runs only while `{name}` is traced, not at each call"
        return OnceOnly(event, history.function, message)
    foretold = event.foretold or event.reached != SEEN
    return OnceOnly(
        event=dataclasses.replace(event, reached=SEEN, foretold=foretold),
        function=history.function,
        message=f"{what} ran in {min(traced, calls)} of {calls} calls: only while `{name}` was traced",
        observed=Observed(traces=0, seconds=0.0, calls=calls - traced),
    )
