"""The loss against a plain computation, and its safety for any finite input."""

import math

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from workloads.handwriting.loss import (
    CORRELATION,
    outputs_for,
    point_loss,
    read_mixture,
    total_loss,
)

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
any_finite = st.floats(width=32, allow_nan=False, allow_infinity=False)


def plain_loss(point, parameters, mixtures):
    """The formula of the paper, term by term, in float64."""
    end, rest = parameters[0], np.split(parameters[1:].astype(float), 6)
    weights = np.exp(rest[0]) / np.exp(rest[0]).sum()
    density = 0.0
    for k in range(mixtures):
        sx, sy = math.exp(rest[3][k]), math.exp(rest[4][k])
        rho = CORRELATION * math.tanh(rest[5][k])
        x, y = (point[0] - rest[1][k]) / sx, (point[1] - rest[2][k]) / sy
        z = x * x + y * y - 2 * rho * x * y
        norm = 2 * math.pi * sx * sy * math.sqrt(1 - rho * rho)
        density += weights[k] * math.exp(-z / (2 * (1 - rho * rho))) / norm
    probability = 1 / (1 + math.exp(-end))
    return -math.log(density) - math.log(probability if point[2] else 1 - probability)


@pytest.mark.parametrize("mixtures", [1, 3])
def test_loss_is_the_formula_of_the_paper(mixtures):
    random = np.random.default_rng(mixtures)
    for lifted in (0.0, 1.0):
        point = np.array([*random.normal(size=2), lifted], np.float32)
        parameters = random.normal(size=outputs_for(mixtures)).astype(np.float32)
        expected = plain_loss(point, parameters, mixtures)
        assert float(point_loss(point, parameters)) == pytest.approx(expected, rel=1e-5)


@settings(max_examples=60, deadline=None)
@given(arrays(np.float32, 13, elements=any_finite), arrays(np.float32, 3, elements=any_finite))
def test_no_finite_input_gives_nan_or_infinity(parameters, point):
    point[2] = point[2] > 0
    parameters = tf.constant(parameters)
    with tf.GradientTape() as tape:
        tape.watch(parameters)
        loss = point_loss(point, parameters)
    assert np.isfinite(loss.numpy())
    assert np.isfinite(tape.gradient(loss, parameters).numpy()).all()


def test_padding_has_no_influence_on_loss_and_gradient():
    random = np.random.default_rng(0)
    points = random.normal(size=(2, 5, 3)).astype(np.float32)
    parameters = tf.constant(random.normal(size=(2, 5, 13)).astype(np.float32))
    mask = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], np.float32)
    garbage = points.copy()
    garbage[1, 3:] = np.nan

    def run(points):
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            loss = total_loss(tf.constant(points), parameters, tf.constant(mask))
        return loss.numpy(), tape.gradient(loss, parameters).numpy()

    loss, gradient = run(points)
    garbage_loss, garbage_gradient = run(garbage)
    assert loss == garbage_loss
    np.testing.assert_array_equal(gradient, garbage_gradient)
    assert (gradient[1, 3:] == 0).all()
    assert loss == pytest.approx(
        float(tf.reduce_sum(point_loss(points[0], parameters[0])))
        + float(tf.reduce_sum(point_loss(points[1, :3], parameters[1, :3])))
    )


def test_mixture_weights_sum_to_one():
    mixture = read_mixture(tf.constant(np.random.default_rng(1).normal(size=(4, 13)) * 50))
    np.testing.assert_allclose(tf.reduce_sum(tf.exp(mixture.log_weight), -1), np.ones(4), 1e-6)
