import tensorflow as tf


@tf.function
def normalise(x):
    total = tf.reduce_sum(x)
    if total <= 0.0:
        raise ValueError("nothing to normalise")  # <- GD327
    assert tf.reduce_all(x >= 0.0), "negative"  # <- GD329
    return x / total
