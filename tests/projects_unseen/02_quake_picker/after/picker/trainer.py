import keras
import tensorflow as tf
from keras import layers

from .dropout import ComponentLoss


def build_net(samples):
    return keras.Sequential([
        keras.Input((samples, 3)),
        layers.Conv1D(8, 7, strides=4, activation="relu"),
        layers.GlobalMaxPooling1D(),
        layers.Dense(1, activation="sigmoid"),
    ])


class PickTrainer:
    def __init__(self, settings):
        self.settings = settings
        self.net = build_net(settings.samples)
        self.loss_fn = keras.losses.MeanAbsoluteError()
        self.optimizer = keras.optimizers.Adam(1e-2)
        self.missing = ComponentLoss(settings.loss_rate, settings.seed)

    def extras(self):
        return dict(present=tf.constant(self.missing.draw()), training=True)

    def train(self, station):
        meter = keras.metrics.Mean()
        for _ in range(self.settings.batches):
            x, y = station.records(self.settings.batch_size)
            meter.update_state(self.fit_batch(tf.constant(x), tf.constant(y), **self.extras()))
        return float(meter.result())

    def fit_batch(self, x, y, **kwargs):
        return self._step(x, y, **kwargs)

    @tf.function
    def _step(self, x, y, present, training):
        x = x * tf.cast(present, x.dtype)
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.net(x, training=training))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss
