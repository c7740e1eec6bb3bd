"""GD322."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Staging
from graphdoctor.refactoring.control_flow.walrus import assigned_before
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import blocking, body_at, first_decisions, function_at, span_at


class WalrusInGraph(Rule):
    """AutoGraph does not convert a function with `:=`.

    What it finds
    An assignment expression in a function that is traced with AutoGraph and has an `if`, `while` or
    `for` on a tensor.

    Why it matters
    AutoGraph (2.21) does not support `:=`. It leaves the whole function unconverted with a warning, and its
    tensor conditions raise OperatorNotAllowedInGraphError.

    How to fix it
    Assign in a statement before the condition.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD322"
    severity = Severity.ERROR
    reasons = ("walrus",)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def halve(x):
                    if (total := tf.reduce_sum(x)) > 1.0:
                        x = x / total
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def halve(x):
                    total = tf.reduce_sum(x)
                    if total > 1.0:
                        x = x / total
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in first_decisions(facts, "walrus"):
            yield self.finding(
                span_at(facts, event, event.blocked_by),
                blocking(event, "`:=`"),
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Staging) -> Fix:
    found = body_at(facts, event.blocked_by)
    edits, sure = (assigned_before(*found) if found else None) or (None, False)
    return offer("Assign before the condition", edits, Safety.SAFE if sure else Safety.UNSAFE)
