"""input: a generator that computes in Python, drawn by a hand-written loop."""

import tensorflow as tf
from injected import cost


def batches():
    for _ in range(40):
        with cost():
            total = 0
            for number in range(400_000):  # cost
                total += number * number % 7  # cost
        yield float(total)


data = tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec(()))


@tf.function
def step(x):
    return x * 2.0


for x in data:  # caller
    step(x)
