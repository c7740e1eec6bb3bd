"""Sparse autoencoder with weight decay and an activity penalty kept in a ledger."""
import numpy as np
import tensorflow as tf


class Ledger:
    """Sums weighted loss terms."""

    def __init__(self):
        self._terms = []

    def add(self, value, weight=1.0):
        self._terms.append((value, weight))

    def total(self):
        return tf.add_n([w * v for v, w in self._terms])


class SparseAE(tf.keras.Model):
    def __init__(self, inputs, code):
        super().__init__()
        self.enc = tf.keras.layers.Dense(code, activation="sigmoid")
        self.dec = tf.keras.layers.Dense(inputs)

    def call(self, x):
        code = self.enc(x)
        return self.dec(code), code


def kl_to(rho, mean):
    return tf.reduce_sum(
        rho * tf.math.log(rho / mean) + (1 - rho) * tf.math.log((1 - rho) / (1 - mean))
    )


class Trainer:
    def __init__(self, model, lr=0.01, rho=0.05):
        self.model, self.rho = model, rho
        self.opt = tf.keras.optimizers.Adam(lr)
        self.opt.build(model.trainable_variables)

    @tf.function
    def step(self, x):
        terms = Ledger()
        with tf.GradientTape() as tape:
            out, code = self.model(x, training=True)
            terms.add(tf.reduce_mean(tf.square(out - x)))
            terms.add(kl_to(self.rho, tf.reduce_mean(code, axis=0)), 1e-3)
            loss = terms.total()
        w = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, w), w))
        return loss


def patches(n=256, d=16):
    rng = np.random.default_rng(7)
    basis = rng.normal(size=(4, d))
    return tf.constant(rng.normal(size=(n, 4)) @ basis, tf.float32)


def main():
    x = patches()
    model = SparseAE(x.shape[1], 8)
    model(x[:1])
    trainer = Trainer(model)
    for _ in range(25):
        loss = trainer.step(x)
    print("loss", float(loss))


if __name__ == "__main__":
    main()
