"""Trainer that checks its first batch in detail before the real run."""
import contextlib

import numpy as np
import tensorflow as tf
import keras


@contextlib.contextmanager
def inspection(title):
    print(f"--- {title}")
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)
    print("--- end")


class Block(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.inner = keras.layers.Dense(units, activation="relu")
        self.norm = keras.layers.LayerNormalization()

    def build(self, shape):
        self.inner.build(shape)
        self.norm.build(shape)

    def call(self, x):
        return self.norm(x + self.inner(x))


model = keras.Sequential([keras.Input((16,))] + [Block(16) for _ in range(6)] + [keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(1e-3)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss, tf.linalg.global_norm(grads)


def batches(n=40, size=32, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        x = rng.normal(size=(size, 16)).astype("float32")
        yield tf.constant(x), tf.constant(x[:, :1] * x[:, 1:2])


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    with inspection("first batch"):
        x, y = next(batches(1))
        loss, norm = train_step(x, y)
        print(f"loss {float(loss):.4f} gradient norm {float(norm):.4f} output {model(x).shape}")
    losses = []
    for x, y in batches():
        loss, _ = train_step(x, y)
        losses.append(float(loss))
    print(f"first 20: {np.mean(losses[:20]):.4f}, last 20: {np.mean(losses[-20:]):.4f}")
