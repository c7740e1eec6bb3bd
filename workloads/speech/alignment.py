"""Which frame speaks which symbol: every monotonic path summed, and how diagonal the result is.

The sum over all monotonic alignments and its gradient (the posterior) follow the forward-backward
recursion of hidden Markov models, as used to learn alignments for speech synthesis by Badlani et
al., "One TTS Alignment To Rule Them All" (2021). The backward half is the forward half on reversed
sequences, so one loop over the frames does both; the gradient is written by hand, so nothing is
recorded inside that loop.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

IMPOSSIBLE = -1e9


@tf.custom_gradient
def sum_alignments(
    scores: tf.Tensor, text_lengths: tf.Tensor, mel_lengths: tf.Tensor
) -> tuple[tuple[tf.Tensor, tf.Tensor], object]:
    """Minus the log-likelihood of all monotonic paths, and the posterior of each frame's symbol.

    Args:
        scores: log-probabilities of the symbols for each frame: [batch, frames, text]
    """
    frames, symbols = (tf.maximum(tf.cast(one, tf.int32), 1) for one in (mel_lengths, text_lengths))
    turned = _reverse(scores, symbols, frames)  # [batch, frames, text]
    both = _forward(tf.concat([scores, turned], 0))  # [2 * batch, frames, text]
    ahead, behind = tf.split(both, 2)  # [batch, frames, text]
    behind = _reverse(behind, symbols, frames)
    rows = tf.range(tf.shape(scores)[0])  # [batch]
    total = tf.gather_nd(ahead, tf.stack([rows, frames - 1, symbols - 1], 1))  # [batch]
    posterior = tf.exp(ahead + behind - scores - total[:, None, None])  # [batch, frames, text]
    inside = _inside(scores, text_lengths, mel_lengths)
    posterior = tf.where(inside, posterior, 0.0)

    def gradient(upstream: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, None, None]:
        return -upstream[:, None, None] * posterior, None, None

    return (-total, posterior), gradient


def _forward(scores: tf.Tensor) -> tf.Tensor:
    """Log-sum of all paths from the first symbol that end at each frame and symbol."""
    by_frame = tf.transpose(scores, [1, 0, 2])  # [frames, batch, text]
    first_symbol = tf.range(tf.shape(scores)[2]) == 0  # [text]
    start = tf.where(first_symbol, by_frame[0], IMPOSSIBLE)  # [batch, text]

    def step(before: tf.Tensor, score: tf.Tensor) -> tf.Tensor:
        moved = tf.pad(before[:, :-1], [[0, 0], [1, 0]], constant_values=IMPOSSIBLE)
        highest = tf.maximum(before, moved)  # [batch, text]
        return score + highest + tf.math.log1p(tf.exp(-tf.abs(before - moved)))

    rest = tf.scan(step, by_frame[1:], start)  # [frames - 1, batch, text]
    return tf.transpose(tf.concat([start[None], rest], 0), [1, 0, 2])  # [batch, frames, text]


def _reverse(values: tf.Tensor, symbols: tf.Tensor, frames: tf.Tensor) -> tf.Tensor:
    turned = tf.reverse_sequence(values, frames, seq_axis=1)
    return tf.reverse_sequence(turned, symbols, seq_axis=2)  # [batch, frames, text]


def _inside(scores: tf.Tensor, text_lengths: tf.Tensor, mel_lengths: tf.Tensor) -> tf.Tensor:
    shape = tf.shape(scores)
    frames = tf.sequence_mask(mel_lengths, shape[1])  # [batch, frames]
    symbols = tf.sequence_mask(text_lengths, shape[2])  # [batch, text]
    return frames[:, :, None] & symbols[:, None, :]  # [batch, frames, text]


def diagonal_prior(
    text_lengths: tf.Tensor, mel_lengths: tf.Tensor, text: int, frames: int, width: float
) -> tf.Tensor:
    """Log-weights that draw alignments to the diagonal: [batch, frames, text]."""
    along_text = (tf.range(text, dtype=tf.float32) + 0.5)[None] / _at_least_one(text_lengths)
    along_mel = (tf.range(frames, dtype=tf.float32) + 0.5)[None] / _at_least_one(mel_lengths)
    apart = along_mel[:, :, None] - along_text[:, None, :]  # [batch, frames, text]
    return -0.5 * tf.square(apart / width)


def _at_least_one(lengths: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.maximum(lengths, 1), tf.float32)[:, None]  # [batch, 1]


def diagonality(alignment: np.ndarray, band: float = 0.1) -> float:
    """The share of an alignment [frames, text] that lies within `band` of the diagonal."""
    frames, text = alignment.shape
    along_mel = (np.arange(frames) + 0.5)[:, None] / frames
    along_text = (np.arange(text) + 0.5)[None, :] / text
    near = np.abs(along_mel - along_text) <= band
    return float((alignment * near).sum() / alignment.sum())
