"""Sampling: the whole sampler is one graph; no Python runs between two points."""

from typing import NamedTuple

import tensorflow as tf

from workloads.handwriting.alphabet import END, HAND
from workloads.handwriting.loss import Mixture, read_mixture
from workloads.handwriting.model import Handwriting, State, one_hot_text

Tensor = tf.Tensor
STILL = 0.25  # a move shorter than this (in deviations) with the pen up means: done
LINGER = 25  # so many steps on the end of the text mean it too, whatever the pen does


class Samples(NamedTuple):
    """What a batch of texts became."""

    points: Tensor  # [batch, time, 3], without the primer, zeros after the end
    length: Tensor  # [batch]: how many of them count
    weight: Tensor  # [batch, time, text]: φ of each step
    finished: Tensor  # [batch]: whether the text was written to its end


class _Loop(NamedTuple):
    time: Tensor
    point: Tensor  # [batch, 3]: the last point
    state: State
    length: Tensor  # [batch]
    lingering: Tensor  # [batch]: steps spent on the end of the text
    finished: Tensor  # [batch]
    points: tf.TensorArray  # [batch, 3] each
    weights: tf.TensorArray  # [batch, text] each


def biased(mixture: Mixture, bias: Tensor) -> Mixture:
    """A mixture that prefers what it thinks likely: 0 as learnt, larger is neater."""
    return mixture._replace(
        end_logit=mixture.end_logit * (1 + bias),
        log_weight=tf.nn.log_softmax(mixture.log_weight * (1 + bias)),
        log_deviation_x=mixture.log_deviation_x - bias,
        log_deviation_y=mixture.log_deviation_y - bias,
    )


def draw_point(mixture: Mixture, random: Tensor, normal: Tensor) -> Tensor:
    """One point per line.

    Args:
        random: two uniform numbers per line, for the component and the pen: [batch, 2].
        normal: two normal ones, for the place: [batch, 2].
    """
    cumulated = tf.cumsum(tf.exp(mixture.log_weight), axis=-1)  # [batch, mixtures]
    cumulated /= cumulated[:, -1:]  # rounding may leave it below one
    chosen = tf.argmax(cumulated >= random[:, :1], axis=-1, output_type=tf.int32)  # [batch]

    def of_chosen(values: Tensor) -> Tensor:
        return tf.gather(values, chosen, axis=1, batch_dims=1)  # [batch]

    correlation = of_chosen(mixture.correlation)
    first, second = normal[:, 0], normal[:, 1]  # [batch] each
    across = correlation * first + tf.sqrt(1 - correlation**2) * second  # [batch]
    x = of_chosen(mixture.mean_x) + tf.exp(of_chosen(mixture.log_deviation_x)) * first
    y = of_chosen(mixture.mean_y) + tf.exp(of_chosen(mixture.log_deviation_y)) * across
    end = tf.cast(random[:, 1] < tf.sigmoid(mixture.end_logit), tf.float32)  # [batch]
    point = tf.stack([x, y, end], axis=-1)  # [batch, 3]
    return tf.where(tf.math.is_finite(point), point, 0.0)


class Sampler(tf.Module):
    """Draws lines from a model; traced once, for any number and length of texts."""

    def __init__(self, model: Handwriting):
        super().__init__()
        self.model = model

    @tf.function(
        input_signature=[
            tf.TensorSpec([None, None], tf.int32),
            tf.TensorSpec([None, None, 3], tf.float32),
            tf.TensorSpec([None], tf.int32),
            tf.TensorSpec([], tf.float32),
            tf.TensorSpec([2], tf.int32),
            tf.TensorSpec([], tf.int32),
        ]
    )
    def __call__(
        self,
        text: Tensor,
        primer: Tensor,
        primer_length: Tensor,
        bias: Tensor,
        seed: Tensor,
        limit: Tensor,
    ) -> Samples:
        """Lines for texts.

        Args:
            text: numbers of the primers' and the texts' characters, an end after each
                [batch, text].
            primer: points that the network is reported, at least the start [batch, time, 3].
            primer_length: how many of them count [batch].
            bias: see `biased`.
            seed: two numbers that decide everything random.
            limit: the most points a line may have, primer included.
        """
        one_hot = one_hot_text(text, self.model.compute_dtype)  # [batch, text, characters]
        last = tf.argmax(text % HAND == END, axis=-1, output_type=tf.int32)  # [batch]
        known = tf.shape(primer)[1]

        def body(loop: _Loop) -> tuple[_Loop]:
            parameters, state = self.model.step(loop.point, loop.state, one_hot)
            drawn = self._draw(parameters, bias, seed, loop.time)  # [batch, 3]
            reported = primer[:, tf.minimum(loop.time + 1, known - 1)]  # [batch, 3]
            primed = loop.time + 1 < primer_length  # [batch]
            point = tf.where(primed[:, tf.newaxis], reported, drawn)  # [batch, 3]
            real = tf.cast(text > 0, tf.float32)  # [batch, text]
            weight = state.window.weight * real  # [batch, text]
            at_end = tf.argmax(weight, axis=-1, output_type=tf.int32) >= last  # [batch]
            return (self._next(loop, point, state, weight, at_end, primed),)

        def unfinished(loop: _Loop) -> Tensor:
            return (loop.time + 1 < limit) & ~tf.reduce_all(loop.finished)

        start = self._start(primer, one_hot)
        final = tf.while_loop(unfinished, body, (start,))[0]
        return self._trimmed(final, primer_length)

    def _draw(self, parameters: Tensor, bias: Tensor, seed: Tensor, time: Tensor) -> Tensor:
        shape = [tf.shape(parameters)[0], 2]
        random = tf.random.stateless_uniform(shape, tf.stack([seed[0], seed[1] + 2 * time]))
        normal = tf.random.stateless_normal(shape, tf.stack([seed[0], seed[1] + 2 * time + 1]))
        return draw_point(biased(read_mixture(parameters), bias), random, normal)

    def _start(self, primer: Tensor, one_hot: Tensor) -> _Loop:
        batch = tf.shape(one_hot)[0]
        zeros = tf.zeros([batch], tf.int32)
        arrays = [tf.TensorArray(tf.float32, 0, dynamic_size=True) for _ in range(2)]
        state = self.model.initial_state(one_hot)
        return _Loop(tf.constant(0), primer[:, 0], state, zeros, zeros, tf.zeros([batch], tf.bool), *arrays)

    @staticmethod
    def _next(
        loop: _Loop, point: Tensor, state: State, weight: Tensor, at_end: Tensor, primed: Tensor
    ) -> _Loop:
        """The loop's variables after one more point."""
        still = (tf.norm(point[:, :2], axis=-1) < STILL) & (point[:, 2] > 0.5)  # [batch]
        lingering = tf.where(at_end, loop.lingering + 1, 0)  # [batch]
        stops = ~primed & at_end & (still | (lingering > LINGER))  # [batch]
        finished = loop.finished | stops
        counts = ~primed & ~finished
        point = tf.where(finished[:, tf.newaxis], [[0.0, 0.0, 1.0]], point)  # [batch, 3]
        return _Loop(
            loop.time + 1,
            point,
            state,
            loop.length + tf.cast(counts, tf.int32),
            lingering,
            finished,
            loop.points.write(loop.time, point),
            loop.weights.write(loop.time, weight),
        )

    @staticmethod
    def _trimmed(final: _Loop, primer_length: Tensor) -> Samples:
        """The points after each line's own primer, moved to the front."""
        points = tf.transpose(final.points.stack(), [1, 0, 2])  # [batch, time, 3]
        weight = tf.transpose(final.weights.stack(), [1, 0, 2])  # [batch, time, text]
        longest = tf.reduce_max(final.length)
        places = tf.range(longest)[tf.newaxis] + primer_length[:, tf.newaxis] - 1  # [batch, time]
        places = tf.minimum(places, tf.shape(points)[1] - 1)
        mask = tf.sequence_mask(final.length, longest, tf.float32)[..., tf.newaxis]
        points = tf.gather(points, places, axis=1, batch_dims=1) * mask  # [batch, time, 3]
        weight = tf.gather(weight, places, axis=1, batch_dims=1) * mask  # [batch, time, text]
        return Samples(points, final.length, weight, final.finished)
