"""Callbacks: early stopping, a schedule, a history of one's own."""

import keras
import numpy as np

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])


class Losses(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(epoch, sorted(logs))


schedule = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate * 0.9)
model.compile("adam", "mse")
model.fit(x, y, epochs=2, verbose=0, callbacks=[Losses(), schedule, keras.callbacks.EarlyStopping("loss")])
