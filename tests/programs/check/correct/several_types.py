"""Helpers that take lists as well as tensors, and ask which it is."""

import numpy as np
import tensorflow as tf


def split_size(size):
    if isinstance(size, (list, tuple)):
        height, width = size
    else:
        height, width = tf.unstack(size)
    return height, width


def as_shape(value):
    if not hasattr(value, "shape"):
        value = np.array(value)
    return tf.shape(value)


def like(value, structure):
    if tf.nest.is_nested(structure):
        return type(structure)(*value)
    return value


def total(*parts: tf.Tensor, **options: tf.Tensor):
    first, *others = parts
    return tf.add_n([*parts, first]) + sum(len(options) for _ in others)


@tf.function
def scale(image, factor):
    height, width = split_size(tf.shape(image)[:2])
    height_again = split_size([1, 2])[0] if isinstance(factor, list) else height
    return as_shape(tf.zeros([2])), like(image, 1.0), total(image, image), height_again, width
