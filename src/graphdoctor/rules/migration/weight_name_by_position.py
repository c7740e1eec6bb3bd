"""GD757."""

from graphdoctor.model import Severity
from graphdoctor.rules.rule import Example, FailureText, Rule


class WeightNameByPosition(Rule):
    """`add_weight` of Keras 3 takes the shape first, not the name.

    What it finds
    In a run: `self.add_weight("w", …)` in a Keras 3 layer.

    Why it matters
    Keras 2 took the name as the first argument. In Keras 3 the first one is the shape.

    How to fix it
    Write `self.add_weight(name="w", shape=…)`.

    When to leave it
    Never: it raises.
    """

    id = "GD757"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"`name` must be passed as a keyword argument\. Received: add_weight\('([^']+)'",
            meaning="`add_weight` of Keras 3 takes the shape first, but gets the name `{0}`",
            order="Pass `name` by its name",
        ),
        FailureText(
            pattern=r"add_weight\(\) got multiple values for argument 'shape'",
            meaning="`add_weight` of Keras 3 takes the shape first, but gets the name",
            order="Pass `name` by its name",
        ),
    )
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf


                class Scale(keras.layers.Layer):
                    def build(self, shape):
                        self.w = self.add_weight("w", shape=(3,))

                    def call(self, x):
                        return x * self.w


                Scale()(tf.ones([1, 3]))
                """,
            good="""
                import keras
                import tensorflow as tf


                class Scale(keras.layers.Layer):
                    def build(self, shape):
                        self.w = self.add_weight(name="w", shape=(3,))

                    def call(self, x):
                        return x * self.w


                Scale()(tf.ones([1, 3]))
                """,
            raises="ValueError",
        ),
    )
