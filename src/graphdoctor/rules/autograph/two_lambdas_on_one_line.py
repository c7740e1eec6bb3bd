"""GD325."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Place
from graphdoctor.refactoring.control_flow.lambdas import split_lambdas
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import first_decisions, function_at, node_at, span_at


class TwoLambdasOnOneLine(Rule):
    """AutoGraph cannot distinguish two lambdas on one line and converts neither.

    What it finds
    A lambda with a condition on a tensor that TensorFlow traces, when another lambda with the same
    parameters begins on the same line.

    Why it matters
    AutoGraph finds the source of a lambda by its line. With two it logs a warning and converts neither, and
    the condition raises OperatorNotAllowedInGraphError.

    How to fix it
    Put each on a line of its own, or use `def`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD325"
    severity = Severity.ERROR
    reasons = ("lambdas-on-a-line",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                up, down = tf.function(lambda x: x + 1 if tf.abs(x) > 0 else x), (lambda x: x - 1)
                print(up(tf.constant(1)).numpy(), down(1))
                """,
            good="""
                import tensorflow as tf

                up = tf.function(lambda x: x + 1 if tf.abs(x) > 0 else x)
                down = lambda x: x - 1
                print(up(tf.constant(1)).numpy(), down(1))
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "two-lambdas"):
            yield self.finding(
                span_at(facts, event, event.blocked_by),
                "AutoGraph converts neither of two lambdas with the same parameters on one line",
                function_at(event),
                event=event,
                fix=_fix(facts, event.blocked_by),
            )


def _fix(facts: Facts, place: Place | None) -> Fix:
    found = node_at(facts, place)
    edits = split_lambdas(*found) if found is not None else None
    return offer("Put each on its own line", edits, Safety.SAFE)
