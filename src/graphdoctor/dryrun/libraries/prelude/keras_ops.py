"""`keras.ops`: control flow that calls functions of the user, in terms of TensorFlow's own."""

import tensorflow as tf


def cond(pred, true_fn, false_fn):
    return tf.cond(pred, true_fn, false_fn)


def switch(index, branches, *operands):
    return tf.switch_case(index, [lambda branch=branch: branch(*operands) for branch in branches])


def while_loop(cond, body, loop_vars, maximum_iterations=None):
    return tf.while_loop(cond, body, loop_vars)


def fori_loop(lower, upper, body_fun, init_val):
    def body(index, value):
        return index + 1, body_fun(index, value)

    return tf.while_loop(lambda index, value: index < upper, body, (lower, init_val))[1]


def map(f, xs):  # noqa: A001
    return tf.map_fn(f, xs)


def vectorized_map(function, elements):
    return tf.vectorized_map(function, elements)


def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    return tf.scan(lambda carry, x: f(carry[0], x), xs, (init, xs))
