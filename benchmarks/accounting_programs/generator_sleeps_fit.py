"""input: a generator that sleeps, drawn by `fit`."""

import time

import numpy as np
import tensorflow as tf
from injected import cost


def batches():
    for _ in range(60):
        with cost():
            time.sleep(0.05)  # cost
        yield np.ones((32, 8), np.float32), np.ones((32, 1), np.float32)


spec = (tf.TensorSpec((32, 8)), tf.TensorSpec((32, 1)))
data = tf.data.Dataset.from_generator(batches, output_signature=spec)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, verbose=0)
