"""A function that has been called, so that its cache holds a trace."""

import tensorflow as tf


@tf.function
def step(x, rate):
    return x * rate


step(tf.ones([3]), 1.0)
