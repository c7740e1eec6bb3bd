"""The hand-written backward passes against autodiff, and the four attentions against each other."""

import numpy as np
import pytest
import tensorflow as tf

from workloads.handwriting import window
from workloads.handwriting.attended_lstm import (
    AttendedWeights,
    attended_lstm,
    attended_step,
    initial_window,
)
from workloads.handwriting.lstm import advance, lstm, open_gates

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
TIME, BATCH, HIDDEN, TEXT, CHARACTERS, COMPONENTS = 7, 3, 4, 5, 6, 2


def random_tensor(*shape, seed=0, scale=0.5):
    values = np.random.default_rng([seed, *shape]).normal(size=shape) * scale
    return tf.constant(values, tf.float32)


def one_hot_text():
    numbers = np.random.default_rng(3).integers(0, CHARACTERS, (BATCH, TEXT))
    return tf.one_hot(numbers, CHARACTERS)  # [batch, text, characters]


def lstm_by_autodiff(inputs, recurrent):
    hidden = cell = tf.zeros([BATCH, HIDDEN])
    hiddens = []
    for step in inputs:
        hidden, cell = advance(open_gates(step + hidden @ recurrent), cell)
        hiddens.append(hidden)
    return tf.stack(hiddens)


def attended_by_autodiff(inputs, text, weights):
    hidden = cell = tf.zeros([BATCH, HIDDEN])
    read = initial_window(text, COMPONENTS)
    steps = []
    for step in inputs:
        _, hidden, cell, _, read = attended_step(step, hidden, cell, read, text, weights)
        steps.append((hidden, *read))
    return [tf.stack(parts) for parts in zip(*steps, strict=True)]


def weighted_sum(tensor):
    """A sum in which every element has its own weight, so that no gradient is like another."""
    weights = tf.cos(tf.range(tf.size(tensor), dtype=tf.float32))
    return tf.reduce_sum(tf.reshape(tensor, [-1]) * weights)


def values_and_gradients(function, arguments):
    """Outputs, and the gradients of a weighted sum of all of them."""
    with tf.GradientTape() as tape:
        tape.watch(arguments)
        outputs = tf.nest.flatten(function(*arguments))
        total = tf.add_n([weighted_sum(output) for output in outputs])
    return outputs, tape.gradient(total, arguments)


def assert_equal(left, right):
    for one, other in zip(tf.nest.flatten(left), tf.nest.flatten(right), strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)


def attended_arguments():
    return [
        random_tensor(TIME, BATCH, 4 * HIDDEN),
        random_tensor(HIDDEN + CHARACTERS, 4 * HIDDEN),
        random_tensor(HIDDEN, 3 * COMPONENTS, scale=2.0),
        random_tensor(3 * COMPONENTS, scale=0.2),
    ]


@pytest.mark.parametrize("compiled", ["eager", "graph", "xla"])
def test_lstm_backward_equals_autodiff(compiled):
    arguments = [random_tensor(TIME, BATCH, 4 * HIDDEN), random_tensor(HIDDEN, 4 * HIDDEN)]
    expected = values_and_gradients(lstm_by_autodiff, arguments)

    def compute():
        return values_and_gradients(lstm, arguments)

    assert_equal(in_mode(compute, compiled)(), expected)


@pytest.mark.parametrize("compiled", ["eager", "graph", "xla"])
def test_attended_lstm_backward_equals_autodiff(compiled):
    text = one_hot_text()

    def by_hand(inputs, *weights):
        return tuple(attended_lstm(inputs, text, AttendedWeights(*weights)))

    def by_autodiff(inputs, *weights):
        return tuple(attended_by_autodiff(inputs, text, AttendedWeights(*weights)))

    expected = values_and_gradients(by_autodiff, attended_arguments())

    def compute():
        return values_and_gradients(by_hand, attended_arguments())

    assert_equal(in_mode(compute, compiled)(), expected)


def in_mode(function, mode):
    if mode == "eager":
        return function
    return tf.function(function, jit_compile=mode == "xla")


def test_gradient_bound_limits_what_enters_the_gates():
    arguments = [random_tensor(TIME, BATCH, 4 * HIDDEN), random_tensor(HIDDEN, 4 * HIDDEN)]
    _, free = values_and_gradients(lstm, arguments)
    bound = float(tf.reduce_max(tf.abs(free[0]))) / 4
    _, bounded = values_and_gradients(lambda *a: lstm(*a, bound), arguments)
    assert float(tf.reduce_max(tf.abs(bounded[0]))) == pytest.approx(bound)


@pytest.mark.parametrize("name", sorted(window.VARIANTS))
@pytest.mark.parametrize("mode", ["eager", "graph", "xla"])
def test_attentions_are_equal(name, mode):
    text = one_hot_text()
    arguments = [
        random_tensor(TIME, BATCH, HIDDEN),
        random_tensor(HIDDEN, 3 * COMPONENTS, scale=2.0),
        random_tensor(3 * COMPONENTS, scale=0.2),
    ]

    def windows(variant):
        def run(hidden, kernel, bias):
            return tuple(window.VARIANTS[variant](hidden, window.Projection(kernel, bias), text))

        return run

    expected = values_and_gradients(windows("tensorarray"), arguments)

    def compute():
        return values_and_gradients(windows(name), arguments)

    assert_equal(in_mode(compute, mode)(), expected)


def test_window_is_finite_for_any_raw_parameters():
    raw = tf.constant([[1e30, -1e30, 1e30, -1e30, 1e30, -1e30]] * BATCH)
    step = window.window_step(raw, tf.zeros([BATCH, COMPONENTS]), one_hot_text())
    for part in step:
        assert np.isfinite(part.numpy()).all()
