"""VQ autoencoder: argmin codebook lookup with straight-through gradient.

Code usage is measured with an old NumPy helper, outside of the loss.
"""
import keras
import numpy as np
import tensorflow as tf


def perplexity_np(codes, size):
    """exp(entropy) of the code histogram, NumPy version used in all our papers."""
    counts = np.bincount(codes.ravel(), minlength=int(size)).astype(np.float64)
    p = counts / counts.sum()
    p = p[p > 0]
    return np.float32(np.exp(-(p * np.log(p)).sum()))


class Codebook(keras.layers.Layer):
    def __init__(self, size, dim, commit=0.25, **kwargs):
        super().__init__(**kwargs)
        self.size, self.dim, self.commit = size, dim, commit

    def build(self, input_shape):
        self.codes = self.add_weight(shape=(self.size, self.dim), initializer="random_normal", name="codes")

    def call(self, z):
        d2 = (tf.reduce_sum(z ** 2, -1, keepdims=True) - 2.0 * tf.matmul(z, self.codes, transpose_b=True)
              + tf.reduce_sum(tf.convert_to_tensor(self.codes) ** 2, -1))
        idx = tf.argmin(d2, axis=-1)              # no gradient here; see the two lines below
        q = tf.gather(tf.convert_to_tensor(self.codes), idx)
        self.add_loss(tf.reduce_mean((tf.stop_gradient(z) - q) ** 2)
                      + self.commit * tf.reduce_mean((z - tf.stop_gradient(q)) ** 2))
        return z + tf.stop_gradient(q - z), idx


class VQAE(keras.Model):
    def __init__(self, width, size=16, dim=4):
        super().__init__()
        self.enc = keras.Sequential([keras.layers.Dense(24, activation="relu"), keras.layers.Dense(dim)])
        self.book = Codebook(size, dim)
        self.dec = keras.Sequential([keras.layers.Dense(24, activation="relu"), keras.layers.Dense(width)])
        self.perp = keras.metrics.Mean(name="perplexity")

    def call(self, x):
        q, idx = self.book(self.enc(x))
        self.last_shape = idx.shape               # static information only
        return self.dec(q), idx

    def train_step(self, x):
        with tf.GradientTape() as tape:
            out, idx = self(x, training=True)
            rec = tf.reduce_mean(tf.square(out - x))
            loss = rec + sum(self.losses)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        usage = tf.numpy_function(perplexity_np, [idx, self.book.size], tf.float32)
        self.perp.update_state(tf.reshape(usage, []))
        return {"rec": rec, "perplexity": self.perp.result()}


def clusters(n=512, width=10, k=6, seed=0):
    rng = np.random.default_rng(seed)
    centers = rng.normal(scale=2.0, size=(k, width))
    return (centers[rng.integers(0, k, size=n)] + 0.2 * rng.normal(size=(n, width))).astype("float32")


if __name__ == "__main__":
    keras.utils.set_random_seed(1)
    x = clusters()
    model = VQAE(x.shape[1])
    model(x[:2])
    before = model.enc.layers[0].kernel.numpy().copy()
    model.compile(optimizer=keras.optimizers.Adam(5e-3))
    hist = model.fit(x, batch_size=64, epochs=5, verbose=0)
    print("rec", [round(float(v), 3) for v in hist.history["rec"]])
    print("perplexity", [round(float(v), 2) for v in hist.history["perplexity"]])
    print("encoder moved", float(np.abs(model.enc.layers[0].kernel.numpy() - before).max()) > 1e-3)
