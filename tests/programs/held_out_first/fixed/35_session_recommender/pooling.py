import tensorflow as tf


def padding_mask(items):
    return tf.cast(tf.not_equal(items, 0), tf.float32)


def masked_mean(values, mask):
    """Mean over the real positions."""
    weights = mask / tf.maximum(tf.reduce_sum(mask, axis=1, keepdims=True), 1.0)
    return tf.reduce_sum(values * weights[..., None], axis=1)
