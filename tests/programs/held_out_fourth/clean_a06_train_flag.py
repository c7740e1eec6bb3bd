"""Network with a Python training flag and a trace log."""
import logging

import numpy as np
import tensorflow as tf
import keras

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("trace")


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(16, activation="relu")
        self.drop = keras.layers.Dropout(0.5)
        self.out = keras.layers.Dense(1)

    def call(self, x, training=False):
        x = self.hidden(x)
        if training:
            x = self.drop(x, training=True)
        return self.out(x)


net = Net()
net(tf.zeros([1, 5]))
optimizer = keras.optimizers.Adam(1e-2)
optimizer.build(net.trainable_variables)


@tf.function
def forward(x, training):
    log.info("building the graph for training=%s", training)
    return net(x, training=training)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(forward(x, True) - y))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    if loss > 100.0:
        tf.print("large loss", loss)
    return loss


x = tf.constant(np.random.default_rng(0).normal(size=(64, 5)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
for step in range(40):
    loss = train_step(x, y)
    if step % 10 == 9:
        valid = tf.reduce_mean(tf.square(forward(x, False) - y))
        print(f"step {step + 1} train {float(loss):.3f} valid {float(valid):.3f}")
