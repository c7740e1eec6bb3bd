"""GD515."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.rule import Example, Rule


class UnusedVariable(Rule):
    """A variable that takes no part in the loss has no gradient: None is right, and benign.

    What it finds
    In a run: sources from which no path of any kind leads to the target.

    Why it matters
    Keras warns "Gradients do not exist for variables" for a broken path and for a layer that the
    loss simply does not use (a pooler, a second head). The first must be repaired; the second need not.

    How to fix it
    Nothing is broken. To be rid of the warning, leave these variables out of the sources, or give
    the layer a part in the loss.

    When to leave it
    When you know that the layer is not used.
    """

    id = "GD515"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                used, unused = tf.Variable(2.0), tf.Variable(3.0)
                with tf.GradientTape() as tape:
                    loss = used * used
                for gradient in tape.gradient(loss, [used, unused]):
                    print(gradient)
                """,
            good="""
                import tensorflow as tf

                used, unused = tf.Variable(2.0), tf.Variable(3.0)
                with tf.GradientTape() as tape:
                    loss = used * used
                for gradient in tape.gradient(loss, [used]):
                    print(gradient)
                """,
            output=(
                "tf.Tensor(4.0, shape=(), dtype=float32)\nNone",
                "tf.Tensor(4.0, shape=(), dtype=float32)",
            ),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"unused": None}, at_call=True)
