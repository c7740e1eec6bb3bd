"""A Python iterator advances only while tracing

`next(iterator)` in a traced function gives the first value at every call.

Say instead: just that; a `tf.data` iterator advances at each call.
"""

import tensorflow as tf


@tf.function
def consume(iterator):
    return tf.constant(0) + next(iterator)


python_iterator = iter([0, 1, 2, 3])
dataset_iterator = iter(tf.data.Dataset.range(4).map(lambda number: tf.cast(number, tf.int32)))
from_python = [int(consume(python_iterator)) for _ in range(3)]
from_dataset = [int(consume(dataset_iterator)) for _ in range(3)]
print("Python iterator:", from_python)
print("tf.data iterator:", from_dataset)
print("verdict:", "true" if from_python == [0, 0, 0] and from_dataset == [0, 1, 2] else "false")
