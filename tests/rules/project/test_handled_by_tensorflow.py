"""GD900: what TensorFlow raises and catches itself is no failure of the program."""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

FIRST_VALUE = """
import tensorflow as tf


class Net:
    v = None

    @tf.function
    def step(self, x):
        if self.v is None:
            self.v = tf.Variable(tf.reduce_mean(x))
        return self.v * x


net = Net()
print(net.step(tf.ones([1])).numpy())
"""


def test_a_first_value_that_depends_on_an_argument(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(FIRST_VALUE)
    assert ran.printed == "[1.]"
    assert [finding.rule for finding in ran.report.findings if finding.rule == "GD900"] == []
