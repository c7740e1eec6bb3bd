"""A step goes on training what could be trained when it was traced: GD215 for layers, also unnamed ones."""

import pytest
from tests.checking import check

HEAD = """
import keras
import numpy as np
import tensorflow as tf
x, y = np.ones([8, 4], "float32"), np.ones([8, 1], "float32")
def encoder():
    inputs = keras.Input([4])
    h = keras.layers.Dense(4, name="low")(inputs)
    return keras.Model(inputs, keras.layers.Dense(4)(h), name="encoder")
base = encoder()
inputs = keras.Input([4])
model = keras.Model(inputs, keras.layers.Dense(1)(base(inputs)))
small = keras.Sequential([keras.Input([4]), keras.layers.Dense(3), keras.layers.Dense(1)])
ready = keras.applications.MobileNetV2(weights=None)
large = keras.Sequential([ready, keras.layers.Dense(1)])
def train(net):
    net.compile("sgd", "mse")
    net.fit(x, y)
def thaw(net, count):
    for layer in net.layers[-count:]: layer.trainable = True
class Thawing(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        {hook}
"""
NO_HOOK = HEAD.replace("{hook}", "pass")

SILENT = {
    "compiled again": "base.trainable = False\ntrain(model)\nthaw(base, 1)\ntrain(model)",
    "before the first step": "base.trainable = False\nmodel.compile('sgd', 'mse')\nthaw(base, 1)\n"
    "model.fit(x, y)",
    "no step after it": "base.trainable = False\ntrain(model)\nthaw(base, 1)\nmodel.save('m.keras')",
    "nothing was frozen": "train(model)\nthaw(base, 1)\nmodel.fit(x, y)",
    "frozen for one model, thawed for the other, each time": "for e in range(9):\n"
    "  for layer in small.layers: layer.trainable = True\n  if e == 0: small.compile('sgd', 'mse')\n"
    "  small.train_on_batch(x, y)\n  for layer in small.layers: layer.trainable = False\n",
    "by the traced code itself": "class Own(keras.Model):\n  def __init__(self):\n    super().__init__()\n"
    "    self.drop, self.out = keras.layers.Dropout(0.1), keras.layers.Dense(1)\n"
    "  def call(self, x, training=False):\n    self.trainable = training\n"
    "    return self.out(self.drop(x, training=self.trainable))\n"
    "  @tf.function\n  def learn(self, x):\n"
    "    with tf.GradientTape() as tape: loss = self(x, training=True)\n"
    "    return tape.gradient(loss, self.trainable_weights)\n"
    "  @tf.function\n  def judge(self, x): return self(x)\n"
    "own = Own()\nfor _ in range(9):\n  own.learn(x)\n  own.judge(x)",
    "of another model": "base.trainable = False\ntrain(small)\nthaw(base, 1)\nsmall.fit(x, y)",
    "only asked for what it gives": "ready.trainable = False\nlarge.compile('sgd', 'mse')\nlarge.predict(x)\n"
    "thaw(ready, 9)\nlarge.predict(x)",
    "set to what it was": "ready.trainable = False\ntrain(large)\n"
    "for layer in ready.layers: layer.trainable = False\nlarge.fit(x, y)",
}
REPORTED = {
    "some layers, by a condition": ("train(model)\nfor layer in base.layers:\n"
                                    "  if 'low' in layer.name: layer.trainable = False\nmodel.fit(x, y)",
                                    "base.layers[…].trainable"),
    "the last layers of a model": ("base.trainable = False\ntrain(model)\nthaw(base, 1)\nmodel.fit(x, y)",
                                   "base.layers[…].trainable"),
    "of a ready-made model": ("ready.trainable = False\ntrain(large)\nthaw(ready, 9)\nlarge.fit(x, y)",
                              "ready.layers[…].trainable"),
    "all layers, frozen": ("train(large)\nfor layer in ready.layers: layer.trainable = False\n"
                           "large.fit(x, y)", "ready.layers[…].trainable"),
    "the model itself": ("base.trainable = False\ntrain(model)\nbase.trainable = True\nmodel.fit(x, y)",
                         "base.trainable"),
    "one layer, by its name": ("base.trainable = False\ntrain(model)\n"
                               "low = base.get_layer('low')\nlow.trainable = True\nmodel.fit(x, y)",
                               "Dense.trainable"),
    "a layer of which is unknown the name": (
        "base.trainable = False\ntrain(model)\nbase.get_layer('dense_1').trainable = True\nmodel.fit(x, y)",
        "base.layers[…].trainable"),
}  # fmt: skip


def states(program: str) -> list[str | None]:
    return [finding.argument for finding in check(program, "GD215")]


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_silent(program: str) -> None:
    assert states(NO_HOOK + program) == []


@pytest.mark.parametrize(("program", "state"), REPORTED.values(), ids=REPORTED)
def test_reported_once_and_by_name(program: str, state: str) -> None:
    assert states(NO_HOOK + program) == [state]


@pytest.mark.parametrize(
    ("hook", "reported"),
    [
        ("print(len(self.model.layers))", []),
        ("if epoch == 0:\n            for layer in base.layers: layer.trainable = True", []),
        (
            "if epoch == 3:\n            for layer in base.layers: layer.trainable = True",
            ["base.layers[…].trainable"],
        ),
        ("if epoch == 1: base.trainable = True", ["base.trainable"]),
    ],
)
def test_a_callback_that_thaws(hook: str, reported: list[str]) -> None:
    program = "base.trainable = False\nmodel.compile('sgd', 'mse')\n"
    assert (
        states(HEAD.replace("{hook}", hook) + program + "model.fit(x, y, epochs=9, callbacks=[Thawing()])")
        == reported
    )
