"""GD207."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.side_effects import SYMBOLIC, all_effects, calls_from, figures, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule


class LoggingOfTensor(Rule):
    """`logging` in a traced function runs only while tracing and shows a symbolic tensor.

    What it finds
    A call of `logging`, `absl.logging` or a logger in a traced function whose arguments hold a tensor.
    Messages without a tensor are not reported: they often announce a trace on purpose.

    Why it matters
    The message appears once per trace, not once per call, with `Tensor("Sum:0", …)` in place of the value.

    How to fix it
    Use `tf.print`, or return the value and log it outside the function.

    When to leave it
    When you want to see the symbolic tensor.
    """

    id = "GD207"
    severity = Severity.WRONG
    repair = Repair(prints=True)
    examples = (
        Example(
            bad="""
                import logging
                import sys

                import tensorflow as tf

                logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)


                @tf.function
                def step(x):
                    loss = tf.reduce_sum(x)
                    logging.info("loss %s", loss)
                    return loss


                for _ in range(3):
                    step(tf.ones([2]))
                """,
            good="""
                import logging
                import sys

                import tensorflow as tf

                logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)


                @tf.function
                def step(x):
                    return tf.reduce_sum(x)


                for _ in range(3):
                    loss = step(tf.ones([2]))
                    logging.info("loss %s", loss.numpy())
                """,
            output=(
                'loss Tensor("Sum:0", shape=(), dtype=float32)',
                "loss 2.0\nloss 2.0\nloss 2.0",
            ),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event, function in all_effects(facts, "log"):
            if event.shows in (*SYMBOLIC, "formatted") and event.place is not None:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    what_ran(facts, event, "the log call")
                    or f"it is logged only while `{function.name}` is traced, with a symbolic tensor",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    fix=Fix(title="Use `tf.print`", safety=Safety.MANUAL),
                    alternatives=deferring(facts, span, calls_from(event, function)),
                )
