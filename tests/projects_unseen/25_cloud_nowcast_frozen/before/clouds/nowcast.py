import keras
import tensorflow as tf

from .gradients import usable


class Nowcaster:
    def __init__(self, encoder, decoder):
        self.encoder = encoder  # random features, never trained
        self.encoder.trainable = False
        self.decoder = decoder
        self.optimizer = keras.optimizers.Adam(5e-3)

    @property
    def variables(self):
        return self.decoder.trainable_variables

    def update(self, now, later):
        return float(self._update(now, later))

    @tf.function
    def _update(self, now, later):
        features = self.encoder(now, training=False)
        with tf.GradientTape() as tape:
            predicted = self.decoder(features, training=True)
            loss = tf.reduce_mean(tf.square(predicted - later))
        grads = tape.gradient(loss, self.variables)
        self.optimizer.apply_gradients(usable(grads, self.variables))
        return loss
