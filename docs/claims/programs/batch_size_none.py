"""The batch size must be a fixed number, not None

For one trace only, the batch axis must be fixed.

Say instead: `None` on the batch axis gives one trace for every batch size. (Under XLA each size is
compiled again.)
"""

import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 8])])
def step(x):
    return tf.reduce_sum(x)


for size in (56, 56, 31, 7):
    step(tf.ones([size, 8]))
print("traces for batches of 56, 56, 31 and 7:", step.experimental_get_tracing_count())
print("verdict:", "false" if step.experimental_get_tracing_count() == 1 else "true")
