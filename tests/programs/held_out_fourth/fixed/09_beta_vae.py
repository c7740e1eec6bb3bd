"""Beta-VAE with a warm-up of the KL weight."""
import dataclasses

import numpy as np
import tensorflow as tf
import keras


@dataclasses.dataclass
class VaeConfig:
    latent: int = 2
    hidden: int = 16
    beta: float = 0.0
    beta_max: float = 4.0
    warmup_epochs: int = 4


class BetaVAE(keras.Model):
    def __init__(self, cfg, n_in):
        super().__init__()
        self.cfg = cfg
        self.beta = tf.Variable(cfg.beta, trainable=False)
        self.enc = keras.Sequential([keras.layers.Dense(cfg.hidden, activation="relu"),
                                     keras.layers.Dense(2 * cfg.latent)])
        self.dec = keras.Sequential([keras.layers.Dense(cfg.hidden, activation="relu"),
                                     keras.layers.Dense(n_in)])

    def train_step(self, x):
        with tf.GradientTape() as tape:
            mean, logvar = tf.split(self.enc(x), 2, axis=-1)
            z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
            rec = tf.reduce_mean(tf.reduce_sum(tf.square(x - self.dec(z)), -1))
            kl = -0.5 * tf.reduce_mean(
                tf.reduce_sum(1.0 + logvar - tf.square(mean) - tf.exp(logvar), -1))
            loss = rec + self.beta * kl
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss, "rec": rec, "kl": kl}


class BetaWarmup(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        cfg = self.model.cfg
        cfg.beta = cfg.beta_max * min(1.0, epoch / cfg.warmup_epochs)
        self.model.beta.assign(cfg.beta)

    def on_epoch_end(self, epoch, logs=None):
        gap = logs["loss"] - logs["rec"]
        print(f"epoch {epoch} beta {float(self.model.cfg.beta):.2f} rec {logs['rec']:.3f} "
              f"kl {logs['kl']:.3f} loss-rec {gap:.3f}")


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    x = np.random.default_rng(0).normal(size=(256, 6)).astype("float32")
    x[:, 3:] = x[:, :3] * 2.0
    vae = BetaVAE(VaeConfig(), 6)
    vae.compile(keras.optimizers.Adam(3e-3))
    vae.fit(x, epochs=8, batch_size=32, verbose=0, callbacks=[BetaWarmup()])
