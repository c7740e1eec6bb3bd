"""Sparse autoencoder: reconstruction, L1 activity and a decorrelation penalty."""
import numpy as np
import tensorflow as tf


class SparseAE(tf.keras.Model):
    def __init__(self, dim, code):
        super().__init__()
        self.enc = tf.keras.layers.Dense(code, activation="relu")
        self.dec = tf.keras.layers.Dense(dim)

    def call(self, x):
        z = self.enc(x)
        return self.dec(z), z


def decorrelation(z):
    z = z - tf.reduce_mean(z, 0)
    cov = tf.matmul(z, z, transpose_a=True) / tf.cast(tf.shape(z)[0], tf.float32)
    return tf.reduce_sum(tf.square(cov - tf.linalg.diag(tf.linalg.diag_part(cov))))


TERMS = {
    "reconstruction": lambda x, r, z: tf.reduce_mean(tf.square(x - r)),
    "sparsity": lambda x, r, z: 1e-3 * tf.reduce_mean(tf.abs(z)),
    "decorrelation": lambda x, r, z: 1e-3 * decorrelation(z),
}


def total_loss(parts):
    return tf.add_n(list(parts.values()))


class Loop:
    def __init__(self, model, terms):
        self.model = model
        self.terms = terms
        self.optimizer = tf.keras.optimizers.Adam(1e-2)
        self.means = {name: tf.keras.metrics.Mean() for name in terms}

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            recon, z = self.model(x)
            parts = {name: term(x, recon, z) for name, term in self.terms.items()}
        loss = total_loss(parts)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        for name, value in parts.items():
            self.means[name].update_state(value)
        return loss


def main():
    tf.keras.utils.set_random_seed(0)
    x = np.random.default_rng(0).normal(size=(128, 8)).astype("float32")
    model = SparseAE(8, 12)
    model(x[:1])
    loop = Loop(model, TERMS)
    for epoch in range(3):
        for batch in tf.data.Dataset.from_tensor_slices(x).batch(32):
            loss = loop.step(batch)
        print(epoch, "%.4f" % float(loss), {k: "%.4f" % float(m.result()) for k, m in loop.means.items()})


if __name__ == "__main__":
    main()
