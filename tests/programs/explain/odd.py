"""Functions that are wrapped, bound or broken."""

import functools

import numpy as np
import tensorflow as tf

rate = 0.5


def passed_on(function):
    @functools.wraps(function)
    def wrapper(*arguments, **options):
        return function(*arguments, **options)

    return wrapper


@passed_on
def odd(x, noisy):
    """Decorated, bound by a partial; compiled library code, and a local name that is deleted."""
    noise = 0.0 * np.random.rand()
    y = x * rate
    if noisy:
        y += noise
    del noise
    return y


odd_of_two = functools.partial(odd, tf.constant([1.0, 2.0]), noisy=False)


def mismatched(x):
    return x + tf.ones([7])
