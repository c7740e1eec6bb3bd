"""A regulariser whose weight rises during fit(), by a callback."""
import keras
import numpy as np
import tensorflow as tf


class Sparse(keras.Model):
    """Autoencoder that is asked for small codes, more and more."""

    def __init__(self, dim, code):
        super().__init__()
        self.encoder = keras.layers.Dense(code, activation="relu")
        self.decoder = keras.layers.Dense(dim)
        self.weight = tf.Variable(0.0, trainable=False, dtype=tf.float32)
        self.rec = keras.metrics.Mean(name="rec")
        self.size = keras.metrics.Mean(name="size")

    @property
    def metrics(self):
        return [self.rec, self.size]

    def call(self, x):
        return self.decoder(self.encoder(x))

    def train_step(self, data):
        x = data[0] if isinstance(data, tuple) else data
        with tf.GradientTape() as tape:
            code = self.encoder(x)
            rec = tf.reduce_mean(tf.square(self.decoder(code) - x))
            size = tf.reduce_mean(tf.abs(code))
            loss = rec + self.weight * size
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.rec.update_state(rec)
        self.size.update_state(size)
        return {m.name: m.result() for m in self.metrics}


class Ramp(keras.callbacks.Callback):
    def __init__(self, top, epochs):
        super().__init__()
        self.top, self.epochs = top, epochs

    def on_epoch_begin(self, epoch, logs=None):
        self.model.weight.assign(self.top * epoch / (self.epochs - 1))

    def on_epoch_end(self, epoch, logs=None):
        print("epoch %d weight %.2f rec %.3f size %.3f" % (
            epoch, self.model.weight.numpy(), logs["rec"], logs["size"]))


def main():
    keras.utils.set_random_seed(0)
    x = np.random.default_rng(0).normal(size=(128, 6)).astype("float32")
    model = Sparse(6, 8)
    model.compile(optimizer=keras.optimizers.Adam(0.02))
    model.fit(x, batch_size=16, epochs=6, verbose=0, callbacks=[Ramp(2.0, 6)])


if __name__ == "__main__":
    main()
