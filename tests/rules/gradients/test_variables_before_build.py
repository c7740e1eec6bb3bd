"""GD509: must not fire, must fire."""

import pytest
from tests.checking import check, marked

RULE = "GD509"
NET = """
import tensorflow as tf
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.norm = tf.keras.layers.BatchNormalization()
    def call(self, x):
        return self.dense(self.norm(x))
net = Net()
weights = net.trainable_variables
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(net(tf.ones([1, 2])))
gradients = tape.gradient(loss, weights)
"""

NESTED = """
import tensorflow as tf
class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
    def call(self, x):
        return self.dense(x)
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block() for _ in range(2)]
    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x
net = Net()
weights = net.trainable_variables
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(net(tf.ones([1, 2])))
gradients = tape.gradient(loss, weights)
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            NESTED.replace("Dense(1)\n", "Dense(1)\n        self.w = tf.Variable(1.0)\n", 1),
            id="a Variable in an inner layer",
        ),
        pytest.param(
            NESTED.replace("Dense(1)\n", "Dense(1)\n        self.w = self.add_weight(shape=[2])\n", 1),
            id="a weight of an inner layer",
        ),
        pytest.param(
            NESTED.replace("range(2)]\n", "range(2)]\n        self.blocks[0](tf.ones([1, 2]))\n"),
            id="an inner layer that was called",
        ),
        pytest.param(
            NESTED.replace("    def call", "    def build(self, shape): pass\n    def call", 1),
            id="an inner layer that builds itself",
        ),
        pytest.param(
            NESTED.replace("Net()\n", "Net()\nnet(tf.ones([1, 2]))\n"), id="called before, with layers"
        ),
        pytest.param(NET.replace("Net()\n", "Net()\nnet(tf.ones([1, 2]))\n"), id="called before"),
        pytest.param(NET.replace("Net()\n", "Net()\nnet.build([None, 2])\n"), id="built before"),
        pytest.param(
            NET.replace("    def call", "        self.build([None, 2])\n    def call"), id="builds itself"
        ),
        pytest.param(
            NET.replace("    def call", "        self.dense(tf.ones([1, 2]))\n    def call"), id="calls"
        ),
        pytest.param(
            NET.replace("    def call", "        self.w = tf.Variable(1.0)\n    def call"), id="a Variable"
        ),
        pytest.param(NET.replace("__init__()", "__init__(inputs, outputs)"), id="a functional model"),
        pytest.param(NET.replace("tf.keras.Model", "tf.Module"), id="no Keras model"),
        pytest.param(NET.replace("tf.keras.Model", "Base"), id="an unknown base"),
        pytest.param(NET.replace("Dense(1)", "Dense(1, input_shape=[2])"), id="an input is named"),
        pytest.param(
            NET.replace("weights = net.trainable_variables", "count = net.count_params"), id="no list"
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


def test_a_model_of_layers_of_the_project_s_own_has_none_either() -> None:
    assert marked(NESTED, RULE) == ["net.trainable_variables"]


def test_a_model_class_has_no_variables_before_its_first_call() -> None:
    assert marked(NET, RULE) == ["net.trainable_variables"]
