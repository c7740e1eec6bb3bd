"""GD508."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.tapes.sources import trained_only
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import EXPECTED, Asked, missing
from graphdoctor.rules.rule import Example, Rule


class UntrainableVariables(Rule):
    """`model.variables` includes variables without a gradient; `model.trainable_variables` does not.

    What it finds
    `model.variables` or `model.weights` as the sources of `tape.gradient`, where the model has variables that
    are not trained: batch normalisation, `trainable=False`, a model of `keras.applications`; and single
    variables that are not trainable.

    Why it matters
    Moving means and variances of a batch normalisation, counters and seeds are variables too. Their
    gradients are None, and Keras warns "Gradients do not exist for variables".

    How to fix it
    Use `trainable_variables` (or `trainable_weights`), where gradients are asked for and where they
    are applied.

    When to leave it
    When the model has no other variables; the name is still better. Where the gradients that are None are
    left out (`if g is not None`), or the gradients are only shown, the confidence is low.
    """

    id = "GD508"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.BatchNormalization()])
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2]), training=True))
                gradients = tape.gradient(loss, model.variables)
                print(sum(gradient is None for gradient in gradients))
                """,
            good="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.BatchNormalization()])
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2]), training=True))
                gradients = tape.gradient(loss, model.trainable_variables)
                print(sum(gradient is None for gradient in gradients))
                """,
            output=("2", "0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        orders = {"not-trainable": "Use `trainable_variables`"}
        yield from missing(self, facts, orders, at_call=True, fixing=_fix, benign=(*EXPECTED, "shown"))


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    found = trained_only(asked.module, asked.question)
    return Fix(title=f"Use `{found[0]}`", safety=Safety.UNSAFE, edits=found[1]) if found else None
