"""Beta-VAE trained with fit(); a callback warms beta up."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Options:
    def __init__(self, latent=2, beta_start=0.0, beta_end=4.0, warmup=3):
        self.latent = latent
        self.beta = beta_start
        self.beta_end = beta_end
        self.warmup = warmup


class Sampling(keras.layers.Layer):
    def call(self, inputs):
        mean, logvar = inputs
        return mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))


def build_encoder(dim, latent):
    x = keras.Input((dim,))
    h = keras.layers.Dense(16, activation="relu")(x)
    mean, logvar = keras.layers.Dense(latent)(h), keras.layers.Dense(latent)(h)
    return keras.Model(x, [mean, logvar, Sampling()([mean, logvar])])


def build_decoder(dim, latent):
    return keras.Sequential([keras.Input((latent,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(dim)])


class VAE(keras.Model):
    def __init__(self, dim, options):
        super().__init__()
        self.options = options
        self.encoder = build_encoder(dim, options.latent)
        self.decoder = build_decoder(dim, options.latent)
        self.recon = keras.metrics.Mean(name="recon")
        self.kl = keras.metrics.Mean(name="kl")
        self.total = keras.metrics.Mean(name="total")

    @property
    def metrics(self):
        return [self.recon, self.kl, self.total]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, logvar, z = self.encoder(data, training=True)
            recon = tf.reduce_mean(tf.reduce_sum(tf.square(self.decoder(z) - data), axis=1))
            kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), axis=1))
            loss = recon + self.options.beta * kl
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        for m, v in zip(self.metrics, (recon, kl, loss)):
            m.update_state(v)
        return {m.name: m.result() for m in self.metrics}


class BetaWarmup(keras.callbacks.Callback):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def on_epoch_begin(self, epoch, logs=None):
        share = min(1.0, epoch / self.options.warmup)
        self.options.beta = share * self.options.beta_end


def main():
    keras.utils.set_random_seed(0)
    base = np.random.normal(size=(256, 2)).astype("float32")
    x = (base @ np.random.normal(size=(2, 10))).astype("float32")
    options = Options()
    vae = VAE(10, options)
    vae.compile(optimizer=keras.optimizers.Adam(1e-2))
    history = vae.fit(x, epochs=5, batch_size=64, verbose=0, callbacks=[BetaWarmup(options)]).history
    for recon, kl, total in zip(history["recon"], history["kl"], history["total"]):
        print("recon %.3f kl %.3f total %.3f  beta used %.2f" % (recon, kl, total, (total - recon) / kl))


if __name__ == "__main__":
    main()
