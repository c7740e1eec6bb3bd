"""graph execution: a hand-written loop whose step is a graph."""

import tensorflow as tf
from injected import cost

weights = tf.random.normal((600, 600))


@tf.function
def step(x):
    for _ in range(4):
        x = tf.tanh(tf.matmul(x, weights))
    return x


x = step(tf.random.normal((600, 600)))
for _ in range(40):
    with cost():
        x = step(x)  # cost
