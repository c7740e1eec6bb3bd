"""Guards used all over the code base."""
import tensorflow as tf


def require_finite(value, name):
    if tf.reduce_any(tf.math.is_nan(value)):
        raise ValueError("%s became NaN" % name)
    return value


def require_probability(p, name):
    tf.debugging.assert_less_equal(p, 1.0 + 1e-5, message=name)
    return p
