import functools
import time

import tensorflow as tf


def compiled(reduce=False):
    """Compile, and keep the time that calls took."""

    def wrap(fn):
        graph = tf.function(fn, reduce_retracing=reduce)

        @functools.wraps(fn)
        def inner(*args, **kwargs):
            start = time.perf_counter()
            try:
                return graph(*args, **kwargs)
            finally:
                inner.seconds += time.perf_counter() - start

        inner.seconds = 0.0
        return inner

    return wrap
