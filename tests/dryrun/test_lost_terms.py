"""A term of a loss that has lost its gradient as a whole, while the others have theirs: GD502 to GD504."""

import pytest
from tests.checking import check, marked

HEAD = """
import numpy as np
import tensorflow as tf
w = tf.Variable([0.3, 0.7, 1.2])
v = tf.Variable([0.5, 0.1, 0.2])
x = tf.constant([1.0, 2.0, 3.0])
average = tf.Variable(0.0, trainable=False)
def edges(t): return tf.numpy_function(lambda a: np.abs(np.diff(a)), [t], tf.float32)
def loss_of(w, v):
    fit = tf.reduce_mean(tf.square(w * x - 1.0))
    {body}
with tf.GradientTape() as tape: loss = loss_of(w, v)
print(tape.gradient(loss, {sources}))
"""

SILENT = {
    "a mask": "return fit + tf.reduce_sum(w * tf.cast(w > 0.5, tf.float32))",
    "a weight": "return fit * tf.reduce_mean(tf.cast(tf.round(w), tf.float32)) + fit",
    "stopped on purpose": "return fit + tf.reduce_mean(tf.stop_gradient(tf.round(w)))",
    "straight through": "q = w + tf.stop_gradient(tf.round(w) - w)\n    return fit + tf.reduce_sum(q)",
    "straight through, of a number": "s = tf.reduce_sum(w)\n"
    "    return fit + (s + tf.stop_gradient(tf.round(s) - s))",
    "a metric beside it": "accuracy = tf.reduce_mean(tf.cast(tf.round(w) == x, tf.float32))\n"
    "    print(accuracy)\n    return fit",
    "of the data alone": "return fit + tf.reduce_mean(edges(x))",
    "a term with a gradient for another": "return fit + tf.reduce_mean(tf.gather(v, tf.argmax(w)))",
    "added to many": "return tf.reduce_mean(w * 1.0 + tf.round(w))",
    "a number that is added to many": "return tf.reduce_mean(w * 1.0 - tf.reduce_mean(tf.round(w)))",
    "a moving average": "average.assign(0.9 * average + 0.1 * fit)\n    return fit - average * 1.0",
    "no sum any more": "return tf.exp(fit + tf.reduce_mean(tf.round(w)))",
    "a constant": "return fit + 3.0",
    "it is unknown": "return fit + unknown(w)",
}
REPORTED = {
    "numpy_function": ("return fit + 5.0 * tf.reduce_mean(edges(w))", "GD503",
                       "tf.numpy_function(lambda a: np.abs(np.diff(a)), [t], tf.float32)"),
    "subtracted": ("return fit - tf.reduce_mean(tf.round(w))", "GD504", "tf.round(w)"),
    "the first term": ("return tf.reduce_sum(tf.cast(w > 0.5, tf.float32)) + fit", "GD504", "w > 0.5"),
    "added to the total": ("total = fit\n    total += tf.reduce_mean(edges(w))\n    return total / 2.0",
                           "GD503", "tf.numpy_function(lambda a: np.abs(np.diff(a)), [t], tf.float32)"),
}  # fmt: skip


@pytest.mark.parametrize("sources", ["w", "[w, v]"])
@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT)
def test_silent(body: str, sources: str) -> None:
    program = HEAD.format(body=body, sources=sources)
    assert [each for rule in ("GD503", "GD504", "GD512") for each in check(program, rule)] == []


@pytest.mark.parametrize(("body", "rule", "place"), REPORTED.values(), ids=REPORTED)
def test_reported(body: str, rule: str, place: str) -> None:
    program = HEAD.format(body=body, sources="w")
    assert marked(program, rule) == [place]
    [finding] = check(program, rule)
    assert finding.message.startswith("a term of the target has no gradient for `w`, and others have: ")


def test_a_loss_of_which_nothing_has_a_gradient_is_reported_as_before() -> None:
    [finding] = check(HEAD.format(body="return tf.reduce_mean(edges(w)) + 1.0", sources="w"), "GD503")
    assert finding.message.startswith("the gradient for `w` is None: ")


def test_a_loss_that_keras_is_given() -> None:
    program = """
        import keras
        import numpy as np
        import tensorflow as tf
        def edges(t): return tf.numpy_function(np.gradient, [t], tf.float32)
        def loss(y, p): return tf.reduce_mean(tf.square(y - p)) + tf.reduce_mean(edges(p))
        inputs = keras.Input([4])
        model = keras.Model(inputs, keras.layers.Dense(4)(inputs))
        model.compile("sgd", loss)
        model.fit(np.ones([8, 4]), np.ones([8, 4]))
        """
    assert marked(program, "GD503") == ["tf.numpy_function(np.gradient, [t], tf.float32)"]


BEFORE = """
import tensorflow as tf
w = tf.Variable([0.3, 0.7])
x = tf.constant([1.0, 2.0])
def fit(): return tf.reduce_sum(tf.square(w * x))
def penalty(): return tf.reduce_sum(tf.abs(w))
{body}
print(tape.gradient(loss, w))
"""
BEFORE_SILENT = {
    "inside": "with tf.GradientTape() as tape:\n    p = penalty()\n    loss = fit() + 0.1 * p",
    "a target": "p = penalty()\nwith tf.GradientTape() as tape: loss = tf.square(p - fit())",
    "a weight": "p = penalty()\nwith tf.GradientTape() as tape: loss = p * fit()",
    "stopped on purpose": "p = tf.stop_gradient(penalty())\nwith tf.GradientTape() as tape: loss = fit() + p",
    "of the data alone": "p = tf.reduce_sum(x)\nwith tf.GradientTape() as tape: loss = fit() + p",
    "while the tape pauses": "with tf.GradientTape() as tape:\n"
    "    with tape.stop_recording(): p = penalty()\n    loss = fit() + p",
    "a sum that goes on between iterations": "loss = tf.constant(0.0)\nfor _ in range(9):\n"
    "    with tf.GradientTape() as tape: loss = loss + fit()\n    tape.gradient(loss, w)",
}
REPORTED_BEFORE = {
    "a penalty": "p = penalty()\nwith tf.GradientTape() as tape: loss = fit() + 0.1 * p",
    "at each iteration": "for _ in range(9):\n    p = penalty()\n"
    "    with tf.GradientTape() as tape: loss = fit() + 0.1 * p\n    tape.gradient(loss, w)",
    "a helper with tapes of its own": "def slope():\n    with tf.GradientTape() as own: y = fit()\n"
    "    return own.gradient(y, w)\ns = slope()\n"
    "with tf.GradientTape() as tape: loss = fit() + tf.reduce_mean(tf.square(s))",
}


@pytest.mark.parametrize("body", BEFORE_SILENT.values(), ids=BEFORE_SILENT)
def test_what_may_be_computed_before_the_tape(body: str) -> None:
    assert check(BEFORE.format(body=body), "GD502") == []


@pytest.mark.parametrize("body", REPORTED_BEFORE.values(), ids=REPORTED_BEFORE)
def test_a_term_that_was_computed_before_the_tape(body: str) -> None:
    found = check(BEFORE.format(body=body), "GD502")
    assert found
    for finding in found:
        assert finding.message.startswith("a term of the target has no gradient for `w`, and others have: ")
        assert "before the tape was opened" in finding.message
