"""What Keras calls on a class that has it from another class: the hooks of a layer, `if it is traced`."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

BASE = """
import keras
import tensorflow as tf


class Base(keras.layers.Layer):
    def call(self, inputs):
        return self.augment(keras.ops.cast(inputs, "float32"))

    def augment(self, inputs):
        raise NotImplementedError


"""
RIGHT = {
    "a hook without a condition on a tensor": """
        class Flip(Base):
            def augment(self, inputs):
                return tf.where(tf.random.uniform([]) > 0.5, inputs, -inputs)
        """,
    "a hook that asks a number": """
        class Flip(Base):
            def __init__(self, rate):
                super().__init__()
                self.rate = rate

            def augment(self, inputs):
                return inputs if self.rate > 0.5 else -inputs
        """,
    "a hook that is a graph function of its own": """
        class Flip(Base):
            @tf.function
            def augment(self, inputs):
                if tf.random.uniform([]) > 0.5:
                    return inputs
                return -inputs
        """,
    "a method that the inherited call does not call": """
        class Flip(Base):
            def augment(self, inputs):
                return inputs

            def show(self, inputs):
                if tf.random.uniform([]) > 0.5:
                    return inputs
                return -inputs
        """,
    "a program that runs Keras eagerly": """
        class Flip(Base):
            def augment(self, inputs):
                if tf.random.uniform([]) > 0.5:
                    return inputs
                return -inputs

        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse", run_eagerly=True)
        """,
    "an open batch that is asked for in the graph": """
        class Mean(keras.metrics.Metric):
            def update_state(self, y_true, y_pred, sample_weight=None):
                count = y_true.shape[0] or tf.shape(y_true)[0]
                if y_true.shape[0] is None:
                    count = tf.shape(y_true)[0]
                rows = tf.reshape(y_true, [-1, y_true.shape[1]])
                return tf.ones([count, 2]), rows
        """,
}
WRONG = {
    "a hook of a layer": (
        """
        class Flip(Base):
            def augment(self, inputs):
                if tf.random.uniform([]) > 0.5:
                    return inputs
                return -inputs
        """,
        "GD701",
    ),
    "a hook that another class takes over": (
        """
        class Middle(Base):
            rate = 0.5

        class Flip(Middle):
            def augment(self, inputs):
                if tf.random.uniform([]) > self.rate:
                    return inputs
                return -inputs
        """,
        "GD701",
    ),
    "the size of a batch as a number": (
        """
        class Mean(keras.metrics.Metric):
            def update_state(self, y_true, y_pred, sample_weight=None):
                for row in range(y_true.shape[0]):
                    self.total.assign_add(y_true[row])
        """,
        "GD601",
    ),
}


def findings(program: str) -> list[tuple[str, bool]]:
    """The rules that speak, and how loudly."""
    module = parse_module("program.py", BASE + cleandoc(program) + "\n")
    return [(finding.rule, finding.is_shown) for finding in check_module(module, Config())]


@pytest.mark.parametrize("program", RIGHT.values(), ids=RIGHT.keys())
def test_nothing_is_reported_of_a_program_that_is_right(program: str) -> None:
    assert [rule for rule, is_shown in findings(program) if not is_shown] == []


@pytest.mark.parametrize(("program", "rule"), WRONG.values(), ids=WRONG.keys())
def test_a_note_reports_what_is_wrong_if_it_is_traced(program: str, rule: str) -> None:
    assert findings(program) == [(rule, False)]


BUILT = """
import numpy as np
import tensorflow as tf
{}
class Scale(keras.layers.Layer):
    def build(self, shape):
        self.scale = tf.constant(2.0) * 3.0
    def call(self, x):
        return x * self.scale
model = keras.Sequential([Scale(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones([8, 3]), np.ones([8, 1]))
model.predict(np.ones([8, 3]))
"""


def test_keras_2_builds_outside_the_graph() -> None:
    """As run on 2.21: with tf_keras a tensor that `build` makes is eager, with Keras 3 it leaks."""
    assert check(BUILT.format("import tf_keras as keras"), "GD212") == []
    leaking = check(BUILT.format("import keras\nfrom keras import ops"), "GD212")
    assert [finding.rule for finding in leaking] == ["GD212"]


STEP = """
import numpy as np
import tensorflow as tf
class Drop(tf.keras.layers.Layer):
    def call(self, x, training=False):
        if training: x[:, 1:] = x[:, 1:] * 2.0
        return x
class Body(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.drop = Drop()
    def call(self, x, training=None): return self.drop(x)
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.body = Body()
        self.head = tf.keras.layers.Dense(1)
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape: loss = tf.reduce_mean((self.head({}) - y) ** 2)
        gradients = tape.gradient(loss, self.head.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.head.trainable_variables))
        return dict(loss=loss)
net = Net()
net.compile(optimizer="sgd")
net.fit(np.ones((8, 3), "f"), np.ones((8, 1), "f"))
"""


def test_who_trains_in_an_own_step_says_so() -> None:
    """As run on 2.21: without `training` a layer has its own default, with it those inside get it, too."""
    assert check(STEP.format("self.body(x)"), "GD806") == []
    assert [finding.rule for finding in check(STEP.format("self.body(x, training=True)"), "GD806")] == [
        "GD806"
    ]
