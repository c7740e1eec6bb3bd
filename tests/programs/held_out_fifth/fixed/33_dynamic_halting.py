"""Adaptive-computation block: refine the hidden state until it settles."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Iterative(layers.Layer):
    """Repeats `refine` until the state moves less than `tol` or the budget is used up."""

    def __init__(self, budget=6, tol=0.05, **kw):
        super().__init__(**kw)
        self.budget = budget
        self.tol = tol

    def refine(self, h):
        raise NotImplementedError

    def movement(self, old, new):
        return tf.reduce_mean(tf.abs(new - old))

    @tf.function
    def call(self, h):
        rounds, settled = tf.constant(0), tf.constant(False)
        while not settled and rounds < self.budget:
            new = self.refine(h)
            settled = self.movement(h, new) < self.tol
            h = new
            rounds += 1
        return h


class TanhRefiner(Iterative):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.cell = layers.Dense(units, activation="tanh")

    def build(self, shape):
        self.cell.build(shape)

    def refine(self, h):
        return 0.5 * (h + self.cell(h))


def build(d=8):
    return keras.Sequential([layers.Dense(d, activation="tanh"), TanhRefiner(d), layers.Dense(1)])


def xor_like(n=256, d=8):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(n, d)).astype("float32")
    y = (x[:, :1] * x[:, 1:2] > 0).astype("float32")
    return x, y


def main():
    keras.utils.set_random_seed(4)
    x, y = xor_like()
    model = build()
    model.compile("adam", keras.losses.BinaryCrossentropy(from_logits=True))
    hist = model.fit(x, y, epochs=3, batch_size=64, verbose=0)
    print("loss", hist.history["loss"][-1])


if __name__ == "__main__":
    main()
