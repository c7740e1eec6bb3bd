"""`run --numerics`: the first operation that gives infinity or NaN, with the user's line."""

import pytest
from tests.running import TensorFlowServer

from graphdoctor.observer.failures.numerics import describe
from graphdoctor.recording.format import NonFinite

GRAPH = """
import tensorflow as tf


@tf.function
def loss(x):
    y = x - 1.0
    return tf.math.log(y) * 2.0  # HERE


loss(tf.constant([1.0, 2.0]))
"""
EAGER = GRAPH.replace("@tf.function\n", "")
BACKWARD = """
import tensorflow as tf

w = tf.Variable([0.0, 1.0])
with tf.GradientTape() as tape:
    y = tf.sqrt(w)
tape.gradient(y, w)  # HERE
"""
DATA = """
import tensorflow as tf

batch = tf.constant([1.0, float("nan")])
scaled = batch * 2.0  # HERE
"""
LOOP = """
import tensorflow as tf


@tf.function
def shrink(x):
    for item in tf.range(5):
        if item > 1:
            x = tf.sqrt(x - 1.0)  # HERE
    return x


shrink(tf.constant([1.5]))
"""
FIT = """
import keras
import numpy as np
import tensorflow as tf


def likelihood(truth, prediction):
    spread = tf.nn.relu(prediction) * 0.0
    return tf.reduce_mean(truth / spread)  # HERE


model = keras.Sequential([keras.Input([2]), keras.layers.Dense(1)])
model.compile("sgd", likelihood)
model.fit(np.ones([8, 2], "float32"), np.ones([8, 1], "float32"), batch_size=4, verbose=0)
"""
FIT_BACKWARD = """
import keras
import numpy as np
import tensorflow as tf


class Distance(keras.layers.Layer):
    def call(self, x):
        return tf.sqrt(tf.reduce_sum(tf.square(x - x), -1))


model = keras.Sequential([keras.Input([2]), keras.layers.Dense(3), Distance()])
model.compile("sgd", "mse")
model.fit(np.ones([8, 2], "float32"), np.ones([8], "float32"), batch_size=4, verbose=0)  # HERE
"""
PROGRAMS = {
    "loop": (LOOP, "Sqrt", "NaN", False),
    "fit": (FIT, "RealDiv", "+Inf", False),
    "backward in fit": (FIT_BACKWARD, "SqrtGrad", "-Inf", False),
    "eager fit": (
        FIT.replace("likelihood)\nmodel", "likelihood, run_eagerly=True)\nmodel"),
        "RealDiv",
        "+Inf",
        False,
    ),
    "graph": (GRAPH, "Log", "-Inf", False),
    "eager": (EAGER, "Log", "-Inf", False),
    "backward": (BACKWARD, "SqrtGrad", "+Inf", False),
    "data": (DATA, "Mul", "NaN", True),
}


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", PROGRAMS)
def test_first_operation_and_line(name: str, tensorflow: TensorFlowServer) -> None:
    text, operation, values, incoming = PROGRAMS[name]
    line = next(n for n, line in enumerate(text.split("\n"), start=1) if "# HERE" in line)
    ran = tensorflow.run(text, numerics=True)
    assert ran.error == "InvalidArgumentError"
    (event,) = ran.recording.of(NonFinite)
    assert (event.operation, event.values, event.incoming) == (operation, values, incoming)
    assert [(f.rule, f.line) for f in ran.report.findings if f.rule == "GD516"] == [("GD516", line)]


@pytest.mark.tensorflow
def test_finite_numbers_are_left_alone(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(GRAPH.replace("[1.0, 2.0]", "[2.0, 3.0]"), numerics=True)
    assert (ran.error, ran.recording.of(NonFinite)) == (None, ())


def test_other_errors_are_none_of_ours() -> None:
    assert describe("Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]") is None
