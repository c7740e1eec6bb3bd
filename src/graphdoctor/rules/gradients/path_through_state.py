"""GD512."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule


class PathThroughState(Rule):
    """A tape does not record assignments: a value assigned to a variable loses its history.

    What it finds
    A source whose only path to the target leads through `assign`, `assign_add` or a similar method and a
    later read of that variable.

    Why it matters
    Reading a variable starts a new path at that variable. The assigned values are cut off, and the gradient
    with respect to what they were computed from is None.

    How to fix it
    Keep the value in a tensor and compute with the tensor; assign it to the variable separately.

    When to leave it
    When the variable's value is intended to be a constant, as for moving averages.
    """

    id = "GD512"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                w = tf.Variable(2.0)
                state = tf.Variable(0.0)
                with tf.GradientTape() as tape:
                    state.assign(w * w)
                    loss = state * 3.0
                print(tape.gradient(loss, w))
                """,
            good="""
                import tensorflow as tf

                w = tf.Variable(2.0)
                state = tf.Variable(0.0)
                with tf.GradientTape() as tape:
                    value = w * w
                    state.assign(value)
                    loss = value * 3.0
                print(tape.gradient(loss, w))
                """,
            output=("None", "tf.Tensor(12.0, shape=(), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"state": "Compute with the tensor"})
