"""device wait: a large result is copied to Python at each step."""

import tensorflow as tf
from injected import cost


@tf.function
def step(x):
    return tf.zeros([16, 1024, 1024]) + x


for number in range(60):
    result = step(tf.constant(float(number)))
    with cost():
        copied = result.numpy()  # cost
