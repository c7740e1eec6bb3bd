"""Casting arguments to tensors avoids the second trace

`train(tf.constant(10))` and `train(tf.constant(20))` share one trace; Python numbers do not.

Say instead: just that.
"""

import tensorflow as tf


def train(num_steps):
    total = 0
    for _ in tf.range(num_steps):
        total += 1
    return total


numbers, tensors = tf.function(train), tf.function(train)
for steps in (10, 20):
    numbers(steps)
    tensors(tf.constant(steps))
traces = numbers.experimental_get_tracing_count(), tensors.experimental_get_tracing_count()
print("traces with Python numbers, with tensors:", traces)
print("verdict:", "true" if traces == (2, 1) else "false")
