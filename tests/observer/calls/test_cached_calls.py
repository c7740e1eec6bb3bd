"""What an observed program does in a cached call and in a step of `fit`: not one Python or C call more.

A function that reads Python's state, an attribute of its object for one, is looked at when it is called:
that is another matter.
"""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

# Counts what Python calls, of its own and of C, in a call; the second of two, when everything is known, and
# behind the first two thousand eager operations, which are heard because a tape may ask for them.
COUNTED = """
import sys
import tensorflow as tf


def calls_in(action):
    counted = 0

    def count(frame, event, argument):
        nonlocal counted
        counted += event in ("call", "c_call")

    action()
    sys.setprofile(count)
    action()
    sys.setprofile(None)
    return counted


for _ in range(2100):
    tf.zeros([]) + 1.0
"""
CACHED = {
    "a function": "f = tf.function(lambda x: x + 1.0)\nx = tf.ones([2])\n"
    "print([calls_in(lambda: f(x)) for _ in range(3)][-1])",
    "a function with a variable": (
        "v = tf.Variable(1.0)\ndef make(v):\n  return tf.function(lambda x, v: v.assign_add(0.5) * x)\n"
        "f = make(v)\nprint([calls_in(lambda: f(tf.ones([2]), v)) for _ in range(3)][-1])"
    ),
    "a Keras model that is called": (
        "model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])\n"
        "step = tf.function(model)\nprint([calls_in(lambda: step(tf.ones([1, 3]))) for _ in range(3)][-1])"
    ),
    "a step of `fit`": (
        "model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])\n"
        "model.compile('sgd', 'mse')\nx, y = tf.ones([64, 3]), tf.ones([64, 2])\n"
        "def fit(size):\n  return calls_in(lambda: model.fit(x, y, batch_size=size, verbose=0))\n"
        "fit(16), fit(8)\nprint(fit(8) - fit(16))"
    ),
}


@pytest.mark.parametrize("name", CACHED)
def test_nothing_is_added(name: str, tensorflow: TensorFlowServer) -> None:
    program = COUNTED + CACHED[name]
    plain, observed = (tensorflow.run(program, observe=on).output for on in (False, True))
    assert int(plain) > 0
    assert observed == plain
