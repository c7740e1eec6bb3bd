"""Guards used all over the code base."""
import tensorflow as tf


def require_finite(value, name):
    return tf.debugging.check_numerics(value, "%s became NaN" % name)


def require_probability(p, name):
    tf.debugging.assert_less_equal(p, 1.0 + 1e-5, message=name)
    return p
