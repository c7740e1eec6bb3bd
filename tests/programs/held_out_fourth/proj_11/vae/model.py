import keras
import tensorflow as tf

from .elbo import negative_elbo
from .params import HP


class Vae:
    def __init__(self, dim):
        self.encoder = keras.Sequential([keras.Input((dim,)), keras.layers.Dense(HP.hidden, activation="tanh"),
                                         keras.layers.Dense(2 * HP.latent)])
        self.decoder = keras.Sequential([keras.Input((HP.latent,)), keras.layers.Dense(HP.hidden, activation="tanh"),
                                         keras.layers.Dense(dim)])
        self.variables = self.encoder.trainable_variables + self.decoder.trainable_variables
        self.optimizer = keras.optimizers.Adam(HP.lr)

    @tf.function
    def update(self, x):
        with tf.GradientTape() as tape:
            mean, logvar = tf.split(self.encoder(x, training=True), 2, axis=1)
            z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
            loss, rec, kl = negative_elbo(x, self.decoder(z, training=True), mean, logvar)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.variables), self.variables))
        return {"loss": loss, "rec": rec, "kl": kl}
