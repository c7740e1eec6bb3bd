"""GD512."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.rule import Example, Rule


class PathThroughState(Rule):
    """A tape does not see assignments: what was written into a variable has no history.

    What it finds
    A source whose only way to the target leads through `assign`, `assign_add` or the like, and
    a later read of that variable.

    Why it matters
    Reading a variable starts a new path at that variable. The values that were assigned to it are
    cut off, and the gradient for what they were computed from is None.

    How to fix it
    Keep the value in a tensor and go on with the tensor; assign it to the variable beside that.

    When to leave it
    When the variable's content is meant to be a constant, as for moving averages.
    """

    id = "GD512"
    severity = Severity.WRONG
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
        yield from missing(self, facts, {"state": "Go on with the tensor"})
