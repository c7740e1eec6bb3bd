"""`tf.while_loop` with what it carries."""

import tensorflow as tf


@tf.function
def power(x, n):
    def more(i, value):
        return i < n

    def body(i, value):
        return i + 1, value * x

    return tf.while_loop(more, body, (tf.constant(0), tf.ones_like(x)))[1]


for n in range(4):
    print(power(tf.constant([2.0]), tf.constant(n)).numpy())
