"""`graphdoctor.explain_gradient` in a user's own program."""

import pytest

from tests.running import TensorFlowServer

pytestmark = [pytest.mark.tensorflow, pytest.mark.log_noise]


def test_a_tape_is_explained_before_or_after_it_was_asked(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf
from graphdoctor import explain_gradient

v = tf.Variable([1.0, 2.0], name="v")
u = tf.Variable(3.0, name="u")
for step in range(6):
    with tf.GradientTape() as tape:
        y = v * 2.0
        z = tf.reduce_sum(tf.round(y)) + u
    tape.gradient(z, [v, u])
explanation = explain_gradient(z, [v, u], tape=tape)
print(explanation)
print([(event.reason, event.broken.line) for event in explanation.missing])
""",
        name="train.py",
    )
    assert ran.error is None, ran.output
    assert ran.output == (
        "the gradient for `v` is None: `Round` at line 10 has no gradient; "
        "usual replacement: `x + tf.stop_gradient(tf.round(x) - x)` (straight through)\n"
        "    train.py:10  AddV2 ← Sum ← Round\n"
        "there is a path with gradients to `u`\n"
        "[('operation', 10)]\n"
    )


def test_a_function_is_called_and_explained(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf
import graphdoctor

v = tf.Variable([1.0, 2.0], name="v")
u = tf.Variable(3.0, name="u")
print(graphdoctor.explain_gradient(lambda: tf.reduce_sum(v), [v, u]))
"""
    )
    assert ran.output == (
        "`u` takes no part in the target: no path at all, so that None is right\n"
        "    program.py:7  Sum\n"
        "there is a path with gradients to `v`\n"
    )


def test_in_a_traced_function(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf
from graphdoctor import explain_gradient

v = tf.Variable([1.0, 2.0], name="v")


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.floor(v))
    print(explain_gradient(loss, v, tape).missing[0].operation)


step()
"""
    )
    assert ran.output == "Floor\n"


def test_what_is_missing_is_said_in_one_line(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import tensorflow as tf

v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(v)
import graphdoctor
from graphdoctor.errors import GradientError

for arguments in ((loss, v), (loss, v, tape)):
    try:
        graphdoctor.explain_gradient(*arguments)
    except GradientError as error:
        print(error)
""",
        observe=False,
    )
    assert ran.output == (
        "explain_gradient needs the tape: explain_gradient(target, sources, tape=tape)\n"
        "this tape was opened before graphdoctor listened: put `from graphdoctor import explain_gradient` "
        "at the top of the program, or give a function that computes the target instead of the target\n"
    )
