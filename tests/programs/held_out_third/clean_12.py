"""Imbalanced classification with focal loss; gamma ramps up during training.

The callback keeps two things: the variable that the graph reads, and a plain
Python copy for the log table.
"""
import keras
import numpy as np
import tensorflow as tf


class FocalLoss(keras.losses.Loss):
    def __init__(self, gamma: tf.Variable, name="focal"):
        super().__init__(name=name)
        self.gamma = gamma

    def call(self, y_true, y_pred):
        y_true = tf.cast(y_true, tf.float32)
        p = tf.clip_by_value(tf.sigmoid(y_pred), 1e-6, 1 - 1e-6)
        p_t = tf.where(y_true > 0.5, p, 1.0 - p)
        return tf.reduce_mean(-tf.pow(1.0 - p_t, self.gamma) * tf.math.log(p_t), axis=-1)


class GammaRamp(keras.callbacks.Callback):
    def __init__(self, gamma, final, epochs):
        super().__init__()
        self.gamma, self.final, self.epochs = gamma, final, epochs
        self.current = 0.0
        self.rows = []

    def on_epoch_begin(self, epoch, logs=None):
        self.current = self.final * min(1.0, epoch / self.epochs)
        self.gamma.assign(self.current)
        self.model.current_gamma = self.current      # only read by on_epoch_end below

    def on_epoch_end(self, epoch, logs=None):
        self.rows.append((epoch, self.model.current_gamma, logs["loss"]))


def data(n=600, seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.15).astype("float32")
    x = rng.normal(size=(n, 8)).astype("float32")
    x[:, 0] += 1.5 * y
    return x, y[:, None]


def main():
    keras.utils.set_random_seed(3)
    gamma = tf.Variable(0.0, trainable=False, dtype=tf.float32, name="gamma")
    model = keras.Sequential([
        keras.Input((8,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(1),
    ])
    model.compile(optimizer=keras.optimizers.Adam(3e-3), loss=FocalLoss(gamma))
    ramp = GammaRamp(gamma, final=2.0, epochs=4)
    x, y = data()
    model.fit(x, y, epochs=6, batch_size=60, verbose=0, callbacks=[ramp])
    for epoch, g, loss in ramp.rows:
        print(f"epoch {epoch} gamma {g:.2f} loss {loss:.4f}")


if __name__ == "__main__":
    main()
