"""GD215."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.effects.stale import stale_captures, stale_finding
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class CapturedAttributeChanged(Rule):
    """An attribute such as `self.rate` changed after the trace that read it, and calls still use the old one.

    What it finds
    In a run: a number, text, bool, None or small tuple that a traced function, or a function it calls,
    reads from an object (`self.rate`, `config.rate`, `options["rate"]`, a flag of another module); that
    changed after the trace; and calls that ran the old graph afterwards. Attributes that the traced code
    itself sets are left out.

    Why it matters
    The attribute is read once, while tracing, and becomes a constant of the graph. Setting it later, as
    a schedule or a callback does, has no effect and no message.

    How to fix it
    Keep it in a `tf.Variable` and `assign` to it, or pass it as an argument. Under Keras a new `compile`
    also makes the next `fit` trace anew.

    When to leave it
    When the old value is meant.
    """

    id = "GD215"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Noise(tf.Module):
                    def __init__(self):
                        self.rate = 1.0

                    @tf.function
                    def __call__(self, x):
                        return x * self.rate


                noise = Noise()
                print(noise(tf.constant(2.0)).numpy())
                noise.rate = 5.0
                print(noise(tf.constant(2.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                class Noise(tf.Module):
                    def __init__(self):
                        self.rate = tf.Variable(1.0, trainable=False)

                    @tf.function
                    def __call__(self, x):
                        return x * self.rate


                noise = Noise()
                print(noise(tf.constant(2.0)).numpy())
                noise.rate.assign(5.0)
                print(noise(tf.constant(2.0)).numpy())
                """,
            output=("2.0\n2.0", "2.0\n10.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in stale_captures(facts, ("attribute", "item", "list", "dict")):
            yield stale_finding(self, facts, event, "Keep it in a `tf.Variable`")
