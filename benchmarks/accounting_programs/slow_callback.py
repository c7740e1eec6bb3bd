"""callbacks: one that sleeps after each batch."""

import time

import numpy as np
import tensorflow as tf
from injected import cost


class Slow(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        with cost():
            time.sleep(0.05)  # cost


model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(np.ones((32 * 50, 8)), np.ones((32 * 50, 1)), verbose=0, callbacks=[Slow()])
