"""Small beta-VAE on synthetic sensor windows with KL warm-up."""
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf


@dataclass
class WarmUp:
    start: float = 0.0
    stop: float = 1.0
    span: int = 24

    def at(self, n):
        frac = min(n / self.span, 1.0)
        return self.start + (self.stop - self.start) * frac


@dataclass
class Settings:
    window: int = 32
    latent: int = 4
    hidden: int = 24
    batch: int = 16
    epochs: int = 2
    lr: float = 1e-3
    warmup: WarmUp = field(default_factory=WarmUp)


def make_windows(s, n=128):
    rng = np.random.default_rng(3)
    phase = rng.uniform(0, 6.28, size=(n, 1))
    freq = rng.uniform(0.1, 0.5, size=(n, 1))
    t = np.arange(s.window)[None, :]
    return (np.sin(freq * t + phase) + 0.05 * rng.normal(size=(n, s.window))).astype("float32")


class SensorVAE(tf.Module):
    def __init__(self, s):
        super().__init__()
        g = tf.random.Generator.from_seed(1)
        self.enc = tf.Variable(0.1 * g.normal([s.window, s.hidden]))
        self.head = tf.Variable(0.1 * g.normal([s.hidden, 2 * s.latent]))
        self.dec = tf.Variable(0.1 * g.normal([s.latent, s.window]))

    def encode(self, x):
        h = tf.nn.relu(x @ self.enc)
        return tf.split(h @ self.head, 2, axis=-1)

    def decode(self, z):
        return z @ self.dec


class Trainer:
    def __init__(self, s):
        self.s = s
        self.vae = SensorVAE(s)
        self.opt = tf.keras.optimizers.Adam(s.lr)
        self.opt.build(list(self.vae.trainable_variables))
        self.seen = 0

    @tf.function
    def _update(self, x, *, weight=1.0):
        with tf.GradientTape() as tape:
            mu, logvar = self.vae.encode(x)
            z = mu + tf.random.normal(tf.shape(mu)) * tf.exp(0.5 * logvar)
            recon = tf.reduce_mean(tf.square(self.vae.decode(z) - x))
            kl = -0.5 * tf.reduce_mean(1.0 + logvar - mu**2 - tf.exp(logvar))
            loss = recon + weight * kl
        params = self.vae.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, params), params))
        return recon, kl

    def epoch(self, data):
        recon = kl = 0.0
        for batch in data:
            options = {"weight": self.s.warmup.at(self.seen)}
            recon, kl = self._update(batch, **options)
            self.seen += 1
        return float(recon), float(kl)


def main():
    s = Settings()
    data = tf.data.Dataset.from_tensor_slices(make_windows(s)).batch(s.batch, drop_remainder=True)
    trainer = Trainer(s)
    for e in range(s.epochs):
        recon, kl = trainer.epoch(data)
        print(f"epoch {e}: recon={recon:.4f} kl={kl:.4f}")


if __name__ == "__main__":
    main()
