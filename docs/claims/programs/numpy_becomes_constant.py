"""NumPy and Python calls become constants

What NumPy and Python compute in a traced function is fixed in the graph.

Say instead: just that, and it holds for random numbers and the time of day as well.
"""

import numpy as np
import tensorflow as tf


@tf.function
def noisy(x):
    return x + np.random.rand()


@tf.function
def random(x):
    return x + tf.random.uniform([], dtype=tf.float64)


def distinct(function):
    return len({float(function(tf.constant(0.0, tf.float64))) for _ in range(5)})


print("distinct results of 5 calls, np.random:", distinct(noisy))
print("distinct results of 5 calls, tf.random:", distinct(random))
print("verdict:", "true" if distinct(noisy) == 1 and distinct(random) == 5 else "false")
