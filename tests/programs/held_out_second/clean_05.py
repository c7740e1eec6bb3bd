"""Beta schedule with a Variable, set by a callback; the config value is only read before."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Penalised(keras.Model):
    def __init__(self, strength):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.strength = strength
        self.current = tf.Variable(strength, trainable=False, dtype=tf.float32)

    def call(self, x):
        out = self.dense(x)
        self.add_loss(self.current * tf.reduce_mean(tf.abs(out)))
        return out


class Schedule(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        self.model.current.assign(self.model.strength / (1 + epoch))
        self.epochs_seen = epoch + 1


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(size=(64, 3)).astype("float32")
    model = Penalised(0.5)
    model.compile(optimizer=keras.optimizers.Adam(0.05), loss="mse")
    schedule = Schedule()
    history = model.fit(x, x.sum(1, keepdims=True), epochs=4, verbose=0, callbacks=[schedule])
    print(schedule.epochs_seen, "%.4f" % history.history["loss"][-1], float(model.current))


if __name__ == "__main__":
    main()
