"""GD515: weights that a graph holds as initial values are GD709's."""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

PROGRAM = """
import keras
import tensorflow as tf


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)
        self.spare = keras.layers.Dense(4, name="unused")
        self.spare.build([None, 3])

    @tf.function
    def call(self, x):
        return self.dense(x)


net = Net()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(tf.ones([2, 3])))
print(tape.gradient(loss, [*net.dense.trainable_variables, net.spare.kernel]))
"""


def test_only_what_is_unused_is_reported(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(PROGRAM)
    (unused,) = (finding for finding in ran.report.findings if finding.rule == "GD515")
    assert unused.message == (
        "`unused/kernel` takes no part in the target: no path at all, so that None is right"
    )
    assert "GD709" in {finding.rule for finding in ran.report.findings}
