"""The sum over alignments equals brute force, and so does its gradient."""

from itertools import combinations

import numpy as np
import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]

SCORES = np.random.default_rng(0).normal(size=[2, 6, 4]).astype(np.float32)
TEXT, MEL = np.array([4, 2]), np.array([6, 5])


def brute_force(scores, text, mel):
    """Minus the log-sum of all monotonic paths, and how often each cell is on a path."""
    total, visits = 0.0, np.zeros_like(scores)
    for ends in combinations(range(1, mel), text - 1):
        path = np.searchsorted(ends, np.arange(mel), side="right")
        weight = np.exp(sum(scores[frame, symbol] for frame, symbol in enumerate(path)))
        total += weight
        visits[np.arange(mel), path] += weight
    return -np.log(total), visits / total


def call(jit_compile, signature=None):
    import tensorflow as tf

    from workloads.speech.alignment import sum_alignments

    @tf.function(jit_compile=jit_compile, input_signature=signature)
    def both(scores):
        with tf.GradientTape() as tape:
            tape.watch(scores)
            loss, posterior = sum_alignments(scores, tf.constant(TEXT), tf.constant(MEL))
        return loss, posterior, tape.gradient(loss, scores)

    return [one.numpy() for one in both(tf.constant(SCORES))]


@pytest.mark.parametrize("jit_compile", [False, True])
def test_the_loss_the_posterior_and_the_gradient_equal_brute_force(jit_compile):
    loss, posterior, gradient = call(jit_compile)

    for row in (0, 1):
        expected, visits = brute_force(SCORES[row], TEXT[row], MEL[row])
        assert loss[row] == pytest.approx(expected, abs=1e-4)
        assert np.allclose(posterior[row], visits, atol=1e-4)
    assert np.allclose(gradient, -posterior)


def test_unknown_lengths_give_the_same():
    import tensorflow as tf

    free = call(False, [tf.TensorSpec([None, None, None], tf.float32)])

    for with_none, static in zip(free, call(False), strict=True):
        assert np.allclose(with_none, static)


def test_diagonality_is_the_share_near_the_diagonal():
    from workloads.speech.alignment import diagonality

    straight = np.eye(10).repeat(3, axis=0)
    stuck = np.zeros([30, 10])
    stuck[:, 0] = 1

    assert diagonality(straight) == pytest.approx(1.0)
    assert diagonality(stuck) == pytest.approx(0.15, abs=0.02)
