"""building: a Keras model of many layers."""

import tensorflow as tf
from injected import cost

with cost():
    x = inputs = tf.keras.Input([64])  # cost
    for _ in range(150):
        x = tf.keras.layers.Dense(64, activation="relu")(x)  # cost
    model = tf.keras.Model(inputs, x)  # cost
