"""What a training step calls by itself: gradients of the program's own, schedules of learning rates."""

import pytest
from tests.checking import check, marked

HEAD = """
import keras
import tensorflow as tf
def rounding(limit, choose):
    @tf.custom_gradient
    def forward(x):
        def backward(upstream):
            if choose(upstream): upstream = upstream * 0.5
            return upstream
        return tf.round(x), backward
    return forward
w = tf.Variable(tf.ones([3]))
def train(operation):
    with tf.GradientTape() as tape: loss = tf.reduce_sum(operation(w))
    return tape.gradient(loss, w)
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("train(rounding(1.0, lambda up: tf.norm(up) > 1.0))", id="eagerly"),
        pytest.param("tf.function(train)(rounding(1.0, lambda up: True))", id="Python decides"),
        pytest.param("tf.function(rounding(1.0, lambda up: tf.norm(up) > 1.0))(w)", id="no tape asks"),
    ],
)
def test_gradient_functions_that_work(program: str) -> None:
    assert check(HEAD + program, "GD340") == []


def test_a_gradient_function_in_which_a_tensor_decides() -> None:
    program = "tf.function(train)(rounding(1.0, lambda up: tf.norm(up) > 1.0))"
    assert marked(HEAD + program, "GD340") == ["choose(upstream)"]


SCHEDULE = """
class Rise(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self): self.updates = 0
    def __call__(self, step):
        self.updates += 1
        return 0.1 * self.updates
optimizer = keras.optimizers.SGD(Rise())
optimizer.build([w])
{decorator}
def step():
    with tf.GradientTape() as tape: loss = tf.reduce_sum(w * w)
    optimizer.{applied}
    return loss
for _ in range(3): step()
"""
APPLIED = ("apply([tape.gradient(loss, w)], [w])", "apply_gradients([(tape.gradient(loss, w), w)])")


@pytest.mark.parametrize("applied", APPLIED)
def test_a_schedule_that_counts(applied: str) -> None:
    assert check(HEAD + SCHEDULE.format(decorator="", applied=applied), "GD204") == []
    traced = SCHEDULE.format(decorator="@tf.function", applied=applied)
    assert marked(HEAD + traced, "GD204") == ["self.updates += 1"]
