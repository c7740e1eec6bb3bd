"""Batches of a generator, of one shape."""

import tensorflow as tf


def batches():
    for number in range(6):
        yield [float(number)] * 4


@tf.function
def total(x):
    return tf.reduce_sum(x)


for batch in tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec([4])):
    total(batch)
