"""eager operations: large products in eager code."""

import tensorflow as tf
from injected import cost

a = tf.random.normal((600, 600))
for _ in range(100):
    with cost():
        b = tf.matmul(a, a)  # cost
