"""input: a `map` that calls Python, drawn by a hand-written loop."""

import time

import tensorflow as tf
from injected import cost


def slow(x):
    with cost():
        time.sleep(0.05)  # cost
    return x


data = tf.data.Dataset.range(50).map(lambda x: tf.py_function(slow, [x], tf.int64))


@tf.function
def step(x):
    return x * 2


for x in data:  # caller
    step(x)
