"""Whether state that is computed again has another value; first what has the same."""

from inspect import cleandoc

import pytest
from tests.checking import check

SAME = {
    "a constant": "tf.constant(0.5)",
    "nothing but zeros": "tf.zeros([len(given), 2])",
    "of arrays": "tf.constant(np.tri(4) - np.eye(4), tf.float32)",
    "of names that are the same": "tf.cast(TABLE, tf.float32) * SCALE",
    "of the same tensor": "tf.sqrt(READ)",
}
OTHER = {
    "drawn": "tf.random.normal([4])",
    "drawn by NumPy": "tf.constant(np.random.rand(4))",
    "computed of what is drawn": "tf.sqrt(np.random.rand(4))",
    "a parameter": "tf.reduce_min(given, axis=0)",
    "its own old value": "self.value * 0.5",
    "a name that is added to": "tf.constant(float(COUNT))",
    "what another function gives": "tf.constant(load())",
}
MODULE = """
import numpy as np
import tensorflow as tf
SCALE = 2.0
TABLE = np.arange(4)
COUNT = 0
READ = tf.io.parse_tensor(tf.io.read_file("table"), tf.float32)
def load():
    return np.load("table.npy")
class Net:
    def __init__(self):
        self.value = tf.constant(1.0)
    def reset(self, given):
        global COUNT
        COUNT += 1
        self.value = {}
    @tf.function
    def step(self, x):
        return x * self.value
net = Net()
net.reset(np.load("first.npy"))
net.step(tf.ones([4]))
net.reset(np.load("second.npy"))
net.step(tf.ones([4]))
"""


def differs(expression: str) -> bool:
    return bool(check(cleandoc(MODULE).replace("{}", expression), "GD214", "GD215"))


@pytest.mark.parametrize("expression", SAME.values(), ids=SAME)
def test_the_same(expression: str) -> None:
    assert not differs(expression)


@pytest.mark.parametrize("expression", OTHER.values(), ids=OTHER)
def test_another(expression: str) -> None:
    assert differs(expression)
