"""GD337."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import function_at, refusals, span_at, what


class AutographSwitchedOff(Rule):
    """With `autograph=False`, `if`, `while` and `for` on tensors raise.

    What it finds
    An `if`, `while`, `for` or conditional expression on a tensor in a function made with
    `tf.function(autograph=False)`, or in a function that it calls.

    Why it matters
    Without AutoGraph these are Python, which needs the value of the tensor while tracing:
    OperatorNotAllowedInGraphError.

    How to fix it
    Drop `autograph=False`, or use `tf.cond`, `tf.where`, `tf.while_loop`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD337"
    severity = Severity.ERROR
    reasons = ("autograph-off", "switched-off")
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(autograph=False)
                def halve(x):
                    if tf.reduce_sum(x) > 1.0:
                        x = x / 2.0
                    return x


                print(halve(tf.ones([2])).numpy())
                """,
            good="""
                import tensorflow as tf


                @tf.function(autograph=False)
                def halve(x):
                    return tf.where(tf.reduce_sum(x) > 1.0, x / 2.0, x)


                print(halve(tf.ones([2])).numpy())
                """,
            raises="OperatorNotAllowedInGraphError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in refusals(facts, "switched-off", "do-not-convert"):
            switch = "`autograph=False`" if event.reason == "switched-off" else "`do_not_convert`"
            yield self.finding(
                span_at(facts, event),
                f"{switch} leaves this {what(event)} to Python, which needs the value of "
                "a tensor while tracing",
                function_at(event),
                event=event,
                fix=Fix(title=f"Drop {switch}", safety=Safety.MANUAL),
            )
