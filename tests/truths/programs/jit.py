"""A compiled function on one shape."""

import tensorflow as tf


@tf.function(jit_compile=True)
def norm(x):
    return tf.sqrt(tf.reduce_sum(x * x))


for _ in range(3):
    norm(tf.ones([4]))
