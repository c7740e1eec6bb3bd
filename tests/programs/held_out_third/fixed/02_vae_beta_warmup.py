"""Beta-VAE on synthetic sensor frames with KL warm-up driven by a callback."""
import numpy as np
import keras
import tensorflow as tf
from keras import layers


class SensorVAE(keras.Model):
    def __init__(self, dim, latent=4, beta=0.0, **kw):
        super().__init__(**kw)
        self.beta = self.add_weight(
            name="beta", shape=(), initializer=keras.initializers.Constant(beta), trainable=False)
        self.encoder = keras.Sequential([
            keras.Input((dim,)),
            layers.Dense(32, activation="tanh"),
            layers.Dense(2 * latent),
        ])
        self.decoder = keras.Sequential([
            keras.Input((latent,)),
            layers.Dense(32, activation="tanh"),
            layers.Dense(dim),
        ])
        self.rec_tracker = keras.metrics.Mean(name="rec")
        self.kl_tracker = keras.metrics.Mean(name="kl")
        self.total_tracker = keras.metrics.Mean(name="total")

    @property
    def metrics(self):
        return [self.rec_tracker, self.kl_tracker, self.total_tracker]

    def call(self, x, training=False):
        mean, logvar = tf.split(self.encoder(x, training=training), 2, axis=-1)
        z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
        return self.decoder(z, training=training), mean, logvar

    def objective(self, x, recon, mean, logvar):
        rec = tf.reduce_mean(tf.reduce_sum(tf.square(x - recon), axis=-1))
        kl = -0.5 * tf.reduce_mean(
            tf.reduce_sum(1.0 + logvar - tf.square(mean) - tf.exp(logvar), axis=-1))
        return rec + self.beta * kl, rec, kl

    def train_step(self, x):
        with tf.GradientTape() as tape:
            recon, mean, logvar = self(x, training=True)
            total, rec, kl = self.objective(x, recon, mean, logvar)
        grads = tape.gradient(total, self.trainable_variables)
        self.optimizer.apply(grads, self.trainable_variables)
        self.rec_tracker.update_state(rec)
        self.kl_tracker.update_state(kl)
        self.total_tracker.update_state(total)
        return {m.name: m.result() for m in self.metrics}


class KLWarmup(keras.callbacks.Callback):
    """Raise beta linearly from zero to ``peak`` over ``epochs``."""

    def __init__(self, peak=1.0, epochs=4):
        super().__init__()
        self.peak = peak
        self.epochs = epochs

    def on_epoch_begin(self, epoch, logs=None):
        self.model.beta.assign(self.peak * min(1.0, epoch / self.epochs))


def sensor_frames(n=512, dim=16, seed=3):
    rng = np.random.default_rng(seed)
    phase = rng.uniform(0, 2 * np.pi, (n, 1))
    freq = rng.uniform(0.5, 2.0, (n, 1))
    grid = np.linspace(0, 2 * np.pi, dim)[None]
    return (np.sin(freq * grid + phase) + rng.normal(0, 0.1, (n, dim))).astype("float32")


def main():
    keras.utils.set_random_seed(11)
    frames = sensor_frames()
    vae = SensorVAE(frames.shape[1])
    vae.compile(optimizer=keras.optimizers.Adam(5e-3))
    hist = vae.fit(frames, batch_size=64, epochs=8, verbose=0, callbacks=[KLWarmup(peak=1.0)])
    for epoch, (rec, kl) in enumerate(zip(hist.history["rec"], hist.history["kl"])):
        print(f"epoch {epoch}  rec {rec:7.4f}  kl {kl:8.4f}")


if __name__ == "__main__":
    main()
