import tensorflow as tf

from settings import QUANTILES

OBJECTIVES = {}


def objective(fn):
    OBJECTIVES[fn.__name__] = fn
    return fn


@objective
def pinball(y, q):
    levels = tf.constant(QUANTILES)
    diff = y - q
    return tf.reduce_mean(tf.maximum(levels * diff, (levels - 1.0) * diff))


@objective
def absolute(y, q):
    return tf.reduce_mean(tf.abs(y - q))
