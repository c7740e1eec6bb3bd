"""eager operations: a training loop without a graph."""

import tensorflow as tf
from injected import cost

layers = [tf.keras.layers.Dense(32, activation="relu") for _ in range(6)]
model = tf.keras.Sequential([tf.keras.Input([16]), *layers, tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD()
x, y = tf.ones((32, 16)), tf.ones((32, 1))
optimizer.build(model.trainable_variables)
for _ in range(60):
    with cost():
        with tf.GradientTape() as tape:  # cost
            loss = tf.reduce_mean((model(x) - y) ** 2)  # cost
        gradients = tape.gradient(loss, model.trainable_variables)  # cost
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))  # cost
