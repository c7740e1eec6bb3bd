import time as clock

import tensorflow as tf


class Timed(tf.Module):
    @tf.function
    def __call__(self, x):
        start = clock.perf_counter()  # <- GD209
        y = tf.linalg.matmul(x, x)
        return y, clock.perf_counter() - start  # <- GD209
