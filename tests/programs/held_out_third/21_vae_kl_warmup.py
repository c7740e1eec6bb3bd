"""Small VAE on synthetic spectra, with KL warm-up over the first epochs.

Port of my old PyTorch script.  The decoder collapses when the KL term is on
from the beginning, hence the warm-up.
"""
import argparse
import logging

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("vae")


def make_spectra(n: int, width: int = 48, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    grid = np.linspace(0, 1, width)
    centers = rng.uniform(0.2, 0.8, size=(n, 1))
    sigma = rng.uniform(0.03, 0.1, size=(n, 1))
    peaks = np.exp(-((grid[None, :] - centers) ** 2) / (2 * sigma ** 2))
    return (peaks + 0.02 * rng.normal(size=peaks.shape)).astype("float32")


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        eps = tf.random.normal(tf.shape(mean))
        return mean + tf.exp(0.5 * log_var) * eps


class SpectraVAE(keras.Model):
    def __init__(self, width: int, latent: int = 3, **kwargs):
        super().__init__(**kwargs)
        self.encoder_net = keras.Sequential(
            [layers.Dense(32, activation="relu"), layers.Dense(2 * latent)]
        )
        self.sampling = Sampling()
        self.decoder_net = keras.Sequential(
            [layers.Dense(32, activation="relu"), layers.Dense(width)]
        )
        self.kl_weight = 0.0
        self.total_tracker = keras.metrics.Mean(name="loss")
        self.rec_tracker = keras.metrics.Mean(name="rec")
        self.kl_tracker = keras.metrics.Mean(name="kl")

    @property
    def metrics(self):
        return [self.total_tracker, self.rec_tracker, self.kl_tracker]

    def encode(self, x):
        mean, log_var = tf.split(self.encoder_net(x), 2, axis=-1)
        return mean, tf.clip_by_value(log_var, -8.0, 8.0)

    def call(self, x):
        mean, log_var = self.encode(x)
        return self.decoder_net(self.sampling([mean, log_var]))

    def elbo_terms(self, x):
        mean, log_var = self.encode(x)
        out = self.decoder_net(self.sampling([mean, log_var]))
        rec = tf.reduce_mean(tf.reduce_sum(tf.square(x - out), axis=-1))
        kl = -0.5 * tf.reduce_sum(1.0 + log_var - tf.square(mean) - tf.exp(log_var), axis=-1)
        return rec, tf.reduce_mean(kl)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            rec, kl = self.elbo_terms(data)
            total = rec + self.kl_weight * kl
        grads = tape.gradient(total, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.total_tracker.update_state(total)
        self.rec_tracker.update_state(rec)
        self.kl_tracker.update_state(kl)
        return {m.name: m.result() for m in self.metrics}


class KLWarmup(keras.callbacks.Callback):
    """Linear ramp 0 -> target over `epochs` epochs."""

    def __init__(self, epochs: int, target: float = 1.0):
        super().__init__()
        self.epochs = epochs
        self.target = target

    def on_epoch_begin(self, epoch, logs=None):
        value = self.target * min(1.0, epoch / max(1, self.epochs))
        self.model.kl_weight = value
        log.info("epoch %d: kl weight %.2f", epoch, value)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--warmup", type=int, default=4)
    parser.add_argument("--seed", type=int, default=11)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)

    x = make_spectra(512)
    vae = SpectraVAE(width=x.shape[1])
    vae.compile(optimizer=keras.optimizers.Adam(2e-3))
    hist = vae.fit(
        x, batch_size=64, epochs=args.epochs, verbose=0,
        callbacks=[KLWarmup(args.warmup)],
    )
    for e, (t, r, k) in enumerate(zip(hist.history["loss"], hist.history["rec"], hist.history["kl"])):
        log.info("epoch %02d loss %.3f rec %.3f kl %.3f", e, t, r, k)
    # samples = vae.decoder_net(tf.random.normal((16, 3)))
    # plot_grid(samples)


if __name__ == "__main__":
    main()
