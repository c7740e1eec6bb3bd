"""`run --numerics`: the first operation that gives infinity or NaN, with the user's line."""

import pytest

from graphdoctor.observer.numerics import describe
from running import TensorFlowServer

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
PROGRAMS = {
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
    (event,) = ran.recording.numerics
    assert (event.operation, event.values, event.incoming) == (operation, values, incoming)
    assert [(f.rule, f.line) for f in ran.report.findings if f.rule == "GD516"] == [("GD516", line)]


@pytest.mark.tensorflow
def test_finite_numbers_are_left_alone(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(GRAPH.replace("[1.0, 2.0]", "[2.0, 3.0]"), numerics=True)
    assert (ran.error, ran.recording.numerics) == (None, ())


def test_other_errors_are_none_of_ours() -> None:
    assert describe("Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]") is None
