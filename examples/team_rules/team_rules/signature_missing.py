"""TEAM001: what is served has a signature."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules import Facts, Rule


class SignatureMissing(Rule):
    """A graph function without `input_signature`.

    What it finds
    A function that `tf.function` traces and that declares no `input_signature`.

    Why it matters
    Our servers refuse a model whose functions accept any argument.

    How to fix it
    Write `@tf.function(input_signature=[...])`.

    When to leave it
    In a program that only trains.
    """

    id = "TEAM001"
    severity = Severity.WRONG

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for history in facts.histories:
            trace, function = history.all_traces[0], history.function
            if trace.origin == "function" and not trace.library and "input_signature" not in trace.options:
                span = facts.sources.line(function.path, function.line)
                yield self.finding(span, f"`{function.name}` has no `input_signature`", function, event=trace)
