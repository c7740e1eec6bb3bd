"""Does the network look at the character that it writes?"""

import tensorflow as tf

Tensor = tf.Tensor


def looked_at(weight: Tensor, text: Tensor) -> Tensor:
    """The character that is read most at each step, padding left out."""
    real = tf.cast(text > 0, weight.dtype)[:, tf.newaxis]  # [batch, 1, text]
    return tf.argmax(weight * real, axis=-1, output_type=tf.int32)  # [batch, time]


def aligned_points(
    weight: Tensor, text: Tensor, characters: Tensor, tolerance: int = 1
) -> tuple[Tensor, Tensor]:
    """How many points the network writes while it looks at their character, and of how many.

    Args:
        weight: φ of each step [batch, time, text].
        text: characters' numbers [batch, text].
        characters: the character of the point that each step predicts [batch, time]; below
            zero where there is none.
        tolerance: how many characters beside the true one count as right.
    """
    known = characters >= 0  # [batch, time]
    near = tf.abs(looked_at(weight, text) - characters) <= tolerance  # [batch, time]
    count = tf.math.count_nonzero(known & near, dtype=tf.float32)
    return count, tf.math.count_nonzero(known, dtype=tf.float32)
