"""GD509."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.tapes.sources import asked_late
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Eagerly, NewGradient, Repair
from graphdoctor.rules.rule import Example, Rule


class VariablesBeforeBuild(Rule):
    """`trainable_variables` of a model that has not been called yet is an empty list.

    What it finds
    The variables of a model that is not built yet, given to a tape or an optimizer: of a `keras.Sequential`
    without an input, or of a model class whose `__init__` only creates layers; and a gradient with an empty
    list of sources.

    Why it matters
    A model creates its variables at its first call. A list that is read before stays empty: with
    `optimizer.apply` nothing is trained, without a warning.

    How to fix it
    Read the variables after the first call, or build the model first: `model.build([None, 784])`, or
    a `keras.Input` as its first layer.

    When to leave it
    Never.
    """

    id = "GD509"
    severity = Severity.WRONG
    repair = Repair(gradient=NewGradient.EXACT, trains=True, eagerly=Eagerly.WRONG)
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                variables = model.trainable_variables
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2])))
                print(len(tape.gradient(loss, variables)))
                """,
            good="""
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                variables = model.trainable_variables
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(model(tf.ones([4, 2])))
                print(len(tape.gradient(loss, model.trainable_variables)))
                """,
            output=("0", "2"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"no-sources": "Build the model first"}, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    edits = asked_late(asked.module, asked.question)
    return offer("Read them later", edits) if edits is not None else None
