"""other Python: pure Python between eager operations."""

import tensorflow as tf
from injected import cost

a = tf.random.normal((100, 100))
for _ in range(600):
    with cost():
        total = 0
        for number in range(30_000):  # cost
            total += number * number % 7  # cost
    b = tf.matmul(a, a)
