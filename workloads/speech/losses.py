"""Masked losses: padding and filled rows count for nothing."""

from __future__ import annotations

import tensorflow as tf

from workloads.speech.model import Outputs

WEIGHTS = {"mel": 1.0, "alignment": 0.2, "duration": 0.01}


def sums_and_counts(outputs: Outputs, batch: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
    """For each loss the sum over what is real, and how much that is: name → [2]."""
    frames = tf.cast(batch["mel_mask"], tf.float32)  # [batch, frames]
    symbols = tf.cast(batch["text_mask"], tf.float32)  # [batch, text]
    rows = tf.cast(batch["row_mask"], tf.float32)  # [batch]
    per_frame = tf.reduce_mean(tf.abs(outputs.mel - batch["mel"]), 2)  # [batch, frames]
    apart = outputs.predicted_durations - outputs.durations  # [batch, text]
    likely = outputs.alignment_loss / tf.cast(tf.maximum(batch["mel_length"], 1), tf.float32)
    return {
        "mel": _sum_and_count(per_frame, frames),
        "alignment": _sum_and_count(likely, rows),
        "duration": _sum_and_count(tf.square(apart), symbols),
    }


def means(totals: dict[str, tf.Tensor]) -> dict[str, tf.Tensor]:
    """The mean of each loss, and `loss`, their weighted sum."""
    parts = {name: total[0] / tf.maximum(total[1], 1.0) for name, total in totals.items()}
    return {"loss": tf.add_n([WEIGHTS[name] * part for name, part in parts.items()]), **parts}


def _sum_and_count(values: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    return tf.stack([tf.reduce_sum(values * weights), tf.reduce_sum(weights)])  # [2]
