"""tracing: a new Python number at each call."""

import tensorflow as tf
from injected import cost


@tf.function
def step(x, number):
    for _ in range(60):
        x = tf.nn.relu(x + float(number))  # cost
    return x


x = tf.ones((8, 8))
for number in range(25):
    with cost():
        step.get_concrete_function(x, number)  # cost
