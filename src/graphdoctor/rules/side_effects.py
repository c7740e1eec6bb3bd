"""What the rules about side effects share: how many of a function's calls ran as Python at all."""

from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Finding, Observed
from graphdoctor.recording import History
from graphdoctor.rules.rule import Rule
from graphdoctor.source.sites import Sources


def confirmed(rule: Rule, history: History, sources: Sources, what: str) -> Iterator[Finding]:
    """What the rule finds in a function's source, with the figures of its run.

    Only where there were calls that ran the graph alone. TensorFlow counts the eager calls of a
    function itself; `run --calls` is not needed for it.
    """
    traced = sum(trace.failed is None for trace in history.traces)
    module = sources.module(history.function.path)
    if module is None or history.calls is None or history.calls <= traced:
        return
    for finding in rule.check_source(module):
        if finding.function == history.function:
            yield replace(
                finding,
                message=f"{what} ran in {min(traced, history.calls)} of {history.calls} calls: only while "
                f"`{history.function.name}` was traced",
                observed=Observed(traces=0, seconds=0.0, calls=history.calls - traced),
            )
