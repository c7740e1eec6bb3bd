"""Autoencoder with binary codes for hashing."""
import numpy as np
import tensorflow as tf
import keras


class BinaryCode(keras.layers.Layer):
    def __init__(self, bits, **kwargs):
        super().__init__(**kwargs)
        self.proj = keras.layers.Dense(bits, activation="sigmoid")

    def build(self, shape):
        self.proj.build(shape)

    def call(self, x):
        return tf.round(self.proj(x))


class HashNet(keras.Model):
    def __init__(self, bits, n_out):
        super().__init__()
        self.body = keras.layers.Dense(32, activation="relu")
        self.code = BinaryCode(bits)
        self.out = keras.layers.Dense(n_out)

    def encode(self, x):
        return self.code(self.body(x))

    def call(self, x):
        return self.out(self.encode(x))


def clusters(n=300, dim=8, k=12, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(k, dim)) * 2
    return (centres[rng.integers(0, k, n)] + 0.05 * rng.normal(size=(n, dim))).astype("float32")


def code_usage(model, x):
    codes = np.asarray(model.encode(x)).astype(int)
    return len({tuple(c) for c in codes})


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    x = clusters()
    model = HashNet(bits=6, n_out=x.shape[1])
    model.compile(keras.optimizers.Adam(1e-2), "mse")
    model(x[:1])
    before = model.body.kernel.numpy().copy()
    hist = model.fit(x, x, epochs=20, batch_size=50, verbose=0)
    moved = np.abs(model.body.kernel.numpy() - before).max()
    print(f"loss {hist.history['loss'][0]:.3f} -> {hist.history['loss'][-1]:.3f}")
    print(f"codes in use {code_usage(model, x)}, encoder moved by {moved:.4f}")
