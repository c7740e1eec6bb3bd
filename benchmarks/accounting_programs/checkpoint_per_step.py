"""saving: a checkpoint after each step."""

import os
import tempfile

import tensorflow as tf
from injected import cost

weights = tf.Variable(tf.ones((2000, 1000)))
checkpoint = tf.train.Checkpoint(weights=weights)


@tf.function
def step():
    weights.assign_add(tf.ones((2000, 1000)))


with tempfile.TemporaryDirectory() as folder:
    for _ in range(60):
        step()
        with cost():
            checkpoint.write(os.path.join(folder, "last"))  # cost
