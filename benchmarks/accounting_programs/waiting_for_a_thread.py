"""other Python: the loop waits for a thread that makes its batches in Python."""

import queue
import threading

import tensorflow as tf
from injected import cost

batches = queue.Queue(1)


def make():
    for _ in range(60):
        total = 0
        for number in range(300_000):  # cost
            total += number % 7  # cost
        batches.put(float(total))


@tf.function
def step(x):
    return x * 2.0


step(tf.constant(1.0))
threading.Thread(target=make, daemon=True).start()
for _ in range(60):
    with cost():
        batch = batches.get()  # caller
    step(tf.constant(batch))
