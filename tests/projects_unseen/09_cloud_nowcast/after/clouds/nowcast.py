import keras
import tensorflow as tf

from .gradients import usable


class Nowcaster:
    def __init__(self, encoder, decoder):
        self.encoder = encoder
        self.decoder = decoder
        self.optimizer = keras.optimizers.Adam(5e-3)

    @property
    def variables(self):
        return self.encoder.trainable_variables + self.decoder.trainable_variables

    def update(self, now, later):
        return float(self._update(now, later))

    @tf.function
    def _update(self, now, later):
        with tf.GradientTape() as tape:
            features = self.encoder(now, training=True)
            predicted = self.decoder(features, training=True)
            loss = tf.reduce_mean(tf.square(predicted - later))
        grads = tape.gradient(loss, self.variables)
        self.optimizer.apply_gradients(usable(grads, self.variables))
        return loss
