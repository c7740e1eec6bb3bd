"""A name is set under a tensor `if`, and set again before anybody reads it."""

import tensorflow as tf


@tf.function
def augment(image, training=True):
    if training:
        if tf.random.uniform([]) > 0.5:
            scale = tf.random.uniform([], 0.5, 1.0)
            image = image * scale
        scale = tf.constant(2.0)
    else:
        scale = tf.constant(1.0)
    return image / scale
