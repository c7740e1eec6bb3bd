"""GD337."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.source import Module
from graphdoctor.source.control_flow import tensor_decisions
from graphdoctor.source.entries import Way


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

    def check_source(self, module: Module) -> Iterator[Finding]:
        for body in module.bodies:
            reach = body.reach(Way.PLAIN)
            if reach is None or reach.entry.keras or reach.entry.way is not Way.PLAIN:
                continue
            for decision in tensor_decisions(body):
                if not body.is_guarded(decision.node):
                    yield self.finding_in(
                        body,
                        decision.tensor,
                        f"`autograph=False` leaves this {decision.what} to Python, which needs the value of "
                        "a tensor while tracing",
                        way=Way.PLAIN,
                        fix=Fix(title="Drop `autograph=False`", safety=Safety.MANUAL),
                    )
