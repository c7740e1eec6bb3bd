import keras
import tensorflow as tf

from sediment.parts import decoder, encoder


class GrainModel(keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.encoder = encoder(latent)
        self.decoder = decoder()
        self.kl_weight = 0.0

    def terms(self, spectra):
        mean, log_variance = tf.split(self.encoder(spectra), 2, axis=-1)
        noise = tf.random.normal(tf.shape(mean))
        rebuilt = self.decoder(mean + tf.exp(0.5 * log_variance) * noise)
        error = tf.reduce_mean(tf.square(spectra - rebuilt))
        divergence = -0.5 * tf.reduce_mean(1.0 + log_variance - mean**2 - tf.exp(log_variance))
        return error, divergence

    def train_step(self, spectra):
        with tf.GradientTape() as tape:
            error, divergence = self.terms(spectra)
            loss = error + self.kl_weight * divergence
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss, "kl_weight": tf.constant(1.0) * self.kl_weight}
