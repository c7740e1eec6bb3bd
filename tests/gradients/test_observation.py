"""Hearing of gradients changes nothing: results, errors, warnings, and how long things live."""

import pytest

from graphdoctor.recording.format import Gradient
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow


def test_nothing_is_kept_alive(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import gc
import weakref

import tensorflow as tf


@tf.function
def squared(x):
    return tf.round(x) * x


def step(w):
    data = tf.ones([3])
    with tf.GradientTape() as tape:
        hidden = squared(w * data)
        loss = tf.reduce_sum(hidden)
    gradient = tape.gradient(loss, w)
    unused = tf.Variable(1.0)
    with tf.GradientTape() as second:
        other = w * 1.0
    second.gradient(other, unused)
    return [weakref.ref(value) for value in (data, hidden, loss, tape, gradient, second, other)]


for number in range(5):
    references = step(tf.Variable([1.0, 2.0, 3.0]))
    gc.collect()
    print([reference() for reference in references])
"""
    )
    assert ran.error is None, ran.output
    assert set(ran.output.splitlines()) == {str([None] * 7)}


MISUSES = {
    "asked twice": "tape.gradient(y, x)\ntape.gradient(y, x)",
    "no sources given": "tape.gradient(y)",
    "target None": "tape.gradient(None, x)",
    "unknown option": "tape.gradient(y, x, option=1)",
    "a string watched": "tape.watch('x')",
    "an error inside": "with tf.GradientTape() as tape:\n    tf.matmul(x, x)",
}
MISUSE = """
import traceback

import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
try:
    exec({body!r})
except Exception as error:
    print(type(error).__name__, error)
    frames = traceback.extract_tb(error.__traceback__)
    print([frame.filename for frame in frames if "/graphdoctor/observer/" in frame.filename])
"""


@pytest.mark.parametrize("name", MISUSES)
def test_errors_are_those_of_tensorflow(name: str, tensorflow: TensorFlowServer) -> None:
    text = MISUSE.format(body=MISUSES[name])
    observed, plain = tensorflow.run(text), tensorflow.run(text, observe=False)
    assert observed.error is None, observed.output
    assert observed.output == plain.output
    assert observed.output.splitlines()[-1] == "[]"


def test_a_none_after_the_first_uses_is_explained_at_the_next(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
for step in range(10):
    with tf.GradientTape() as tape:
        y = w * 2.0
        if step > 6:
            y = tf.round(y)
    tape.gradient(y, w)
"""
    )
    assert [(e.reason, e.operation, e.broken.line) for e in ran.recording.of(Gradient)] == [
        ("operation", "Round", 9)
    ]


def test_the_hooks_of_eager_operations_are_gone_after_the_first_uses(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf
from tensorflow.python.eager import context, execute
from tensorflow.python.framework import ops

w = tf.Variable([1.0, 2.0])
for step in range(5):
    with tf.GradientTape() as tape:
        y = w * 2.0
    tape.gradient(y, w)
    print(len(context.context().op_callbacks), execute.execute is execute.quick_execute)
print(hasattr(ops._EagerTensorBase._numpy, "__wrapped__"))
"""
    )
    assert ran.output.splitlines()[-3:] == ["0 True", "0 True", "False"]
    assert ran.output.splitlines()[0] == "1 False"
