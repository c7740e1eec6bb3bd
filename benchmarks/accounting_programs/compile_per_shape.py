"""compiling: XLA compiles each new shape behind one trace."""

import time

import injected
import tensorflow as tf


@tf.function(jit_compile=True, input_signature=[tf.TensorSpec((None, 64))])
def step(x):
    return tf.reduce_sum(tf.nn.softmax(tf.matmul(x, x, transpose_b=True)) * 2.0)


def timed(x):
    begun = time.perf_counter()
    step(x)  # cost
    return time.perf_counter() - begun


step.get_concrete_function()
for rows in range(20, 60):
    x = tf.ones((rows, 64))
    first = timed(x)
    injected.spent += first - min(timed(x), timed(x))
