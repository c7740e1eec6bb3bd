"""GD327."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.refactoring.calls.assertions import raised
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import body_at, function_at, refusals, span_at


class RaiseUnderTensorIf(Rule):
    """`raise` under an `if` on a tensor runs while tracing, whatever the condition.

    What it finds
    `raise` in a branch of an `if` on a tensor, in a function that AutoGraph converts.

    Why it matters
    Both branches are traced, and tracing runs the `raise`: the function fails at its first call even when the
    condition is false.

    How to fix it
    `tf.debugging.Assert(condition, [values])` checks when the graph runs. The fix is marked unsafe: it raises
    InvalidArgumentError instead of your exception.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD327"
    severity = Severity.ERROR
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    if tf.reduce_any(x < 0.0):
                        raise ValueError("negative")
                    return tf.sqrt(x)


                print(root(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def root(x):
                    tf.debugging.Assert(tf.logical_not(tf.reduce_any(x < 0.0)), ["negative"])
                    return tf.sqrt(x)


                print(root(tf.ones([2])).numpy())
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "raise"):
            found = body_at(facts, event.chain[-1].place)
            yield self.finding(
                span_at(facts, event),
                "`raise` runs while the branch is traced, whatever the condition",
                function_at(event),
                event=event,
                fix=offer("Use `tf.debugging.Assert`", raised(*found) if found else None),
            )
