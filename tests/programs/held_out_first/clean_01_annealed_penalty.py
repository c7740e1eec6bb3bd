"""Sparse autoencoder whose penalty grows during training."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class SparseAutoencoder(keras.Model):
    def __init__(self, width, code, **kwargs):
        super().__init__(**kwargs)
        self.encode = keras.layers.Dense(code, activation="relu")
        self.decode = keras.layers.Dense(width)
        self.penalty = tf.Variable(0.0, trainable=False, name="penalty")
        self.tracker = keras.metrics.Mean(name="share")

    @property
    def metrics(self):
        return [self.tracker]

    def call(self, x):
        return self.decode(self.encode(x))

    def train_step(self, x):
        with tf.GradientTape() as tape:
            code = self.encode(x)
            share = self.penalty * tf.reduce_mean(tf.abs(code))
            loss = tf.reduce_mean(tf.square(x - self.decode(code))) + share
        self.optimizer.apply(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        self.tracker.update_state(share)
        return {"loss": loss, **{m.name: m.result() for m in self.metrics}}


class Ramp(keras.callbacks.Callback):
    def __init__(self, target, epochs):
        super().__init__()
        self.target, self.epochs = target, epochs
        self.seen = []

    def on_epoch_begin(self, epoch, logs=None):
        self.model.penalty.assign(self.target * min(1.0, epoch / self.epochs))

    def on_epoch_end(self, epoch, logs=None):
        self.seen.append(round(float(logs["share"]), 4))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    x = np.random.default_rng(0).normal(size=(96, 10)).astype("float32")
    model = SparseAutoencoder(10, 6)
    model.compile(keras.optimizers.Adam(1e-2))
    ramp = Ramp(0.1, 2)
    model.fit(x, batch_size=32, epochs=4, verbose=0, callbacks=[ramp])
    print("share of the penalty:", ramp.seen)
