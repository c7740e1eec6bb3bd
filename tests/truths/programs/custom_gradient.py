"""A gradient of one's own."""

import tensorflow as tf


@tf.custom_gradient
def clipped(x):
    return tf.identity(x), lambda upstream: tf.clip_by_value(upstream, -1.0, 1.0)


@tf.function
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = clipped(x) * 5.0
    return tape.gradient(y, x)


print(float(slope(tf.constant(2.0))))
