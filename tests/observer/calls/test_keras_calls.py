"""`fit`, `evaluate` and `predict` for one batch after the other: what getting ready costs, by line."""
# ruff: noqa: E501

import pytest
from tests.running import TensorFlowServer

from graphdoctor.recording.format import Applied

pytestmark = pytest.mark.tensorflow

HEAD = """\
import numpy as np
import tensorflow as tf

one, many = np.ones((1, 4), "float32"), np.ones((320, 4), "float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
model.compile("sgd", "mse")
"""

# The calls at each line, by method and whether each had a single batch.
PROGRAMS = {
    "an epoch of many batches at each iteration": (
        "for epoch in range(6):\n    model.fit(many, np.ones((320, 2)), verbose=0)\n    model.evaluate(\n"
        "        many, np.ones((320, 2)), verbose=0)\n",
        {("fit", 8): (6, False), ("evaluate", 9): (6, False)},
        [],
    ),
    "one training for each of several models": (
        "def objective(units):\n    net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(units)])\n"
        "    net.compile('sgd', 'mse')\n    net.fit(one, np.ones((1, units)), verbose=0)\n\n\n"
        "for units in range(2, 8):\n    objective(units)\n",
        {("fit", 10): (6, True)},
        [],
    ),
    "many epochs of one batch, with a validation": (
        "data = (one, np.ones((1, 2)))\nfor _ in range(5):\n"
        "    model.fit(*data, epochs=3, verbose=0, validation_data=data)\n",
        {("fit", 9): (5, False)},
        [],
    ),
    "batches by themselves": (
        "for _ in range(20):\n    model.train_on_batch(one, np.ones((1, 2)))\n    model.predict_on_batch(one)\n",
        {},
        [],
    ),
    "a look at some samples after each epoch": (
        "for epoch in range(6):\n    model.fit(many, np.ones((320, 2)), verbose=0)\n    model.predict(one, verbose=0)\n",
        {("fit", 8): (6, False), ("predict", 9): (6, True)},
        [],
    ),
    "a look from within `fit`": (
        "class Look(tf.keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n"
        "        self.model.predict(one, verbose=0)\n\n\n"
        "model.fit(many, np.ones((320, 2)), epochs=6, verbose=0, callbacks=[Look()])\n",
        {("fit", 12): (1, False), ("predict", 9): (6, True)},
        [],
    ),
    "a look between the steps of one's own": (
        "@tf.function\ndef step(x):\n    return tf.reduce_sum(model(x))\n\n\n"
        "for epoch in range(6):\n    for _ in range(10):\n        step(one)\n    model.predict(one, verbose=0)\n",
        {("predict", 15): (6, True)},
        [],
    ),
    "a prediction after each of a few steps": (
        "@tf.function\ndef step(x):\n    return tf.reduce_sum(model(x))\n\n\n"
        "for _ in range(9):\n    for _ in range(2):\n        step(one)\n    model.predict(one, verbose=0)\n",
        {("predict", 15): (9, True)},
        [("GD130", 15)],
    ),
    "a few predictions": (
        "for _ in range(3):\n    model.predict(one, verbose=0)\n",
        {("predict", 8): (3, True)},
        [],
    ),
    "an agent that predicts and fits at each step": (
        "class Agent:\n    def act(self, state):\n        return model.predict(state, verbose=0)\n\n"
        "    def learn(self, state):\n        model.fit(state, self.act(state), verbose=0)\n\n\n"
        "agent = Agent()\nstep = 0\nwhile step < 12:\n    agent.learn(one)\n    step += 1\n",
        {("predict", 9): (12, True), ("fit", 12): (12, True)},
        [("GD130", 9), ("GD130", 12)],
    ),
    "a model of one's own, asked through a function of a list": (
        "class Net(tf.keras.Model):\n    def __init__(self):\n        super().__init__()\n"
        "        self.dense = tf.keras.layers.Dense(3)\n\n    def call(self, x):\n        return self.dense(x)\n\n\n"
        "net = Net()\ncodes = list(map(lambda row: net.predict(row[None], verbose=0), many[:9]))\n",
        {("predict", 17): (9, True)},
        [("GD130", 17)],
    ),
    "an evaluation of each sample": (
        "def score(x):\n    return model.evaluate(x, np.zeros((1, 2)), verbose=0)\n\n\n"
        "print(max(score(one * k) for k in range(7)))\n",
        {("evaluate", 8): (7, True)},
        [("GD130", 8)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_are_counted_by_line_and_reported_when_they_cost(
    name: str, tensorflow: TensorFlowServer
) -> None:
    program, counted, expected = PROGRAMS[name]
    ran = tensorflow.run(HEAD + program)
    assert ran.error is None, ran.output
    calls = {
        (event.what, event.chain[-1].place.line): (event.calls, event.options.get("batches") == "1")
        for event in ran.recording.of(Applied)
    }
    assert calls == counted
    found = [(f.rule, f.line) for f in ran.report.findings if f.rule == "GD130" and f.observed is not None]
    assert sorted(found) == expected
