"""Pipelines that map, filter and interleave with operations."""

import tensorflow as tf


def doubled(x):
    return tf.cast(x, tf.float32) * 2.0


data = tf.data.Dataset.range(40).map(doubled).filter(lambda x: x > 4.0)
data = data.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), num_parallel_calls=2).batch(4)
print(sum(1 for _ in data))
