"""input: a `map` that calls Python, drawn by `fit`."""

import time

import tensorflow as tf
from injected import cost


def slow(x):
    with cost():
        time.sleep(0.05)  # cost
    return x


def prepare(x):
    x = tf.ensure_shape(tf.py_function(slow, [x], tf.float32), [32, 8])
    return x, tf.ones((32, 1))


data = tf.data.Dataset.from_tensors(tf.ones((32, 8))).repeat(60).map(prepare)
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, verbose=0)  # caller
