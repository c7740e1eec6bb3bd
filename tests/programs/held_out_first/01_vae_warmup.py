"""Small VAE on synthetic spectra with a slow start of the regulariser."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class LatentSampler(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seeds = keras.random.SeedGenerator(11)

    def call(self, inputs):
        mean, log_var = inputs
        eps = keras.random.normal(keras.ops.shape(mean), seed=self.seeds)
        return mean + keras.ops.exp(0.5 * log_var) * eps


class BaseAutoencoder(keras.Model):
    def __init__(self, width, latent, **kwargs):
        super().__init__(**kwargs)
        self.hidden = layers.Dense(24, activation="relu")
        self.to_mean = layers.Dense(latent)
        self.to_log_var = layers.Dense(latent)
        self.sample = LatentSampler()
        self.decoder = keras.Sequential([layers.Dense(24, activation="relu"), layers.Dense(width)])
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.reg_tracker = keras.metrics.Mean(name="weighted_kl")

    @property
    def metrics(self):
        return [self.loss_tracker, self.reg_tracker]

    def call(self, x):
        h = self.hidden(x)
        mean, log_var = self.to_mean(h), self.to_log_var(h)
        return self.decoder(self.sample((mean, log_var))), mean, log_var


class WarmupVAE(BaseAutoencoder):
    kl_weight = 0.0

    def objective(self, x):
        recon, mean, log_var = self(x)
        rec = tf.reduce_mean(tf.square(x - recon))
        kl = -0.5 * tf.reduce_mean(1.0 + log_var - tf.square(mean) - tf.exp(log_var))
        reg = self.kl_weight * kl
        return rec + reg, reg

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss, reg = self.objective(data)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        self.reg_tracker.update_state(reg)
        return {m.name: m.result() for m in self.metrics}


class LinearWarmup(keras.callbacks.Callback):
    def __init__(self, epochs, target=1.0):
        super().__init__()
        self.epochs = epochs
        self.target = target

    def on_epoch_begin(self, epoch, logs=None):
        self.model.kl_weight = self.target * min(1.0, epoch / self.epochs)


def spectra(n=128, width=16):
    rng = np.random.default_rng(4)
    centre = rng.uniform(0, width, size=(n, 1))
    return np.exp(-0.2 * (np.arange(width)[None] - centre) ** 2).astype("float32")


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    vae = WarmupVAE(width=16, latent=3)
    vae.compile(optimizer=keras.optimizers.Adam(1e-2))
    history = vae.fit(spectra(), batch_size=32, epochs=4, verbose=0, callbacks=[LinearWarmup(2)])
    print("kl share per epoch:", [round(v, 4) for v in history.history["weighted_kl"]])
