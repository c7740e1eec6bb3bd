"""The loss: a mixture of bivariate Gaussians for the offset, a Bernoulli for the end of a stroke.

Everything stays in logarithms, and what is squared is bounded first, so that no finite input
gives a NaN or an infinity, in the value or in the gradient.
"""

import math
from typing import NamedTuple

import keras
import tensorflow as tf

Tensor = tf.Tensor
LOG_DEVIATION = (-6.0, 6.0)  # bounds of the log deviation, in units of the offsets' own deviation
FARTHEST = 1e6  # bound of the distance from a centre, in the same units
CORRELATION = 0.995  # bound of its size: 1 - correlation² stays far from zero


class Mixture(NamedTuple):
    """What the network says about the next point; the last dimension counts the components."""

    end_logit: Tensor  # [...]
    log_weight: Tensor  # [..., mixtures]
    mean_x: Tensor  # [..., mixtures]
    mean_y: Tensor  # [..., mixtures]
    log_deviation_x: Tensor  # [..., mixtures]
    log_deviation_y: Tensor  # [..., mixtures]
    correlation: Tensor  # [..., mixtures]


def outputs_for(mixtures: int) -> int:
    """How many numbers the network gives per point: 121 for the 20 mixtures of the paper."""
    return 1 + 6 * mixtures


def read_mixture(parameters: Tensor) -> Mixture:
    """The mixture that the network's raw outputs [..., 1 + 6 mixtures] stand for."""
    parameters = tf.cast(parameters, tf.float32)
    mixtures = (parameters.shape[-1] - 1) // 6
    # Not `parameters[..., 1:]`: the gradient of a slice takes longer than the rest of the loss.
    end, *parts = tf.split(parameters, [1] + 6 * [mixtures], axis=-1)  # [..., 1], 6 of [..., mixtures]
    return Mixture(
        tf.squeeze(end, -1),
        tf.nn.log_softmax(parts[0]),
        parts[1],
        parts[2],
        tf.clip_by_value(parts[3], *LOG_DEVIATION),
        tf.clip_by_value(parts[4], *LOG_DEVIATION),
        CORRELATION * tf.tanh(parts[5]),
    )


def _standardised(offset: Tensor, mean: Tensor, log_deviation: Tensor) -> Tensor:
    distance = tf.clip_by_value(offset[..., tf.newaxis] - mean, -FARTHEST, FARTHEST)
    return distance * tf.exp(-log_deviation)  # [..., mixtures]


def log_density(mixture: Mixture, offset_x: Tensor, offset_y: Tensor) -> Tensor:
    """Logarithm of the mixture's density at each offset."""
    x = _standardised(offset_x, mixture.mean_x, mixture.log_deviation_x)  # [..., mixtures]
    y = _standardised(offset_y, mixture.mean_y, mixture.log_deviation_y)  # [..., mixtures]
    rest = 1 - mixture.correlation * mixture.correlation  # [..., mixtures]
    square = (x * x + y * y - 2 * mixture.correlation * x * y) / rest  # [..., mixtures]
    normaliser = (
        math.log(2 * math.pi) + mixture.log_deviation_x + mixture.log_deviation_y + 0.5 * tf.math.log(rest)
    )  # [..., mixtures]
    return tf.reduce_logsumexp(mixture.log_weight - normaliser - 0.5 * square, axis=-1)


def point_loss(points: Tensor, parameters: Tensor) -> Tensor:
    """Nats per point: [...] from points [..., 3] and raw outputs [..., 1 + 6 mixtures]."""
    points = tf.cast(points, tf.float32)
    mixture = read_mixture(parameters)
    density = log_density(mixture, points[..., 0], points[..., 1])  # [...]
    end = tf.nn.sigmoid_cross_entropy_with_logits(labels=points[..., 2], logits=mixture.end_logit)
    return end - density  # [...]


def total_loss(points: Tensor, parameters: Tensor, mask: Tensor) -> Tensor:
    """The sum over the real points; what stands in the padding has no influence, NaN included."""
    real = mask > 0  # [batch, time]
    points = tf.where(real[..., tf.newaxis], points, tf.zeros_like(points))
    losses = point_loss(points, parameters)  # [batch, time]
    return tf.reduce_sum(tf.where(real, losses, tf.zeros_like(losses)))


@keras.saving.register_keras_serializable("handwriting")
class MixtureLoss(keras.losses.Loss):
    """`point_loss` for `Model.compile`; give the mask of real points as `sample_weight`."""

    def __init__(self, name: str = "mixture", **options):
        super().__init__(name=name, **options)

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return point_loss(y_true, y_pred)  # [batch, time]
