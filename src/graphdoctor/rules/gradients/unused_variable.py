"""GD515."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import INITIAL_VALUES, Applied
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import missing
from graphdoctor.rules.rule import Example, Rule


class UnusedVariable(Rule):
    """A variable that does not contribute to the loss has no gradient: None is correct and benign.

    What it finds
    In a run: sources from which no path of any kind leads to the target.

    Why it matters
    Keras warns "Gradients do not exist for variables" for a broken path and for a layer that the
    loss simply does not use (a pooler, a second head). The first must be repaired; the second need not.

    How to fix it
    Nothing is broken. To avoid the warning, leave these variables out of the sources, or use the layer in the
    loss.

    Weights that a graph holds as initial values are not reported here: there the path is broken (GD709).

    When to leave it
    When the layer is unused on purpose.
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
        frozen = {
            name
            for event in facts.of(Applied)
            if event.what == INITIAL_VALUES
            for name in event.options.get("weights", "").split(", ")
        }
        yield from missing(self, facts, {"unused": None}, at_call=True, without=frozen)
