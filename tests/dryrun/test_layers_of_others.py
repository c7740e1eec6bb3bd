"""Layers that another library makes may give anything: a distribution, a structure."""

import pytest
from tests.checking import check

HEAD = """
import tensorflow as tf
from tensorflow_probability import layers as tfpl
layers = tf.keras.layers
"""


def reported(program: str) -> list[str]:
    return [finding.rule for finding in check(HEAD + program, "GD") if finding.is_shown]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "model = tf.keras.Sequential([layers.Dense(2, input_shape=(5,)),"
            " tfpl.DistributionLambda(lambda t: make(t)),"
            " layers.Lambda(lambda d: d.mean() + d.stddev())])\nmodel.predict(tf.ones([2, 5]))",
            id="in a Sequential",
        ),
        pytest.param(
            "class Distribution(layers.Lambda):\n"
            "  def __call__(self, inputs):\n"
            "    made, value = super().__call__(inputs)\n"
            "    return made\n"
            "model = tf.keras.Sequential([layers.Dense(2, input_shape=(5,)),"
            " Distribution(lambda t: make(t)),"
            " layers.Lambda(lambda d: d.mean())])\nmodel.predict(tf.ones([2, 5]))",
            id="derived from Lambda",
        ),
        pytest.param(
            "model = tf.keras.Sequential([layers.Dense(2), tfpl.DistributionLambda(lambda t: make(t))])\n"
            "adam = tf.keras.optimizers.Adam()\n"
            "@tf.function\ndef step(x, y):\n"
            "  with tf.GradientTape() as tape:\n"
            "    loss = -tf.reduce_mean(model(x).log_prob(y))\n"
            "  gradients = tape.gradient(loss, model.trainable_variables)\n"
            "  adam.apply_gradients(zip(gradients, model.trainable_variables))\n"
            "for _ in range(9): step(tf.ones([2, 5]), tf.ones([2]))",
            id="at the end",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert reported(program) == []


def test_what_a_layer_of_keras_gives_is_a_tensor() -> None:
    program = (
        "model = tf.keras.Sequential([layers.Dense(2), layers.Lambda(lambda d: d.mean())])\n"
        "model.predict(tf.ones([2, 5]))"
    )
    assert reported(program) == ["GD801"]
