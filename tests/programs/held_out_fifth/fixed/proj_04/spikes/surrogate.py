import tensorflow as tf


@tf.custom_gradient
def spike(v):
    out = tf.cast(v > 0.0, v.dtype)
    peak = tf.reduce_max(tf.abs(v))

    def grad(upstream):
        width = tf.maximum(peak / 10.0, 1.0)
        return upstream / tf.square(1.0 + tf.abs(v) / width)

    return out, grad
