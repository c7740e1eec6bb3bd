"""A subclassed model with dropout and batch normalisation, and a `training` parameter."""

import keras
import numpy as np

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(8, "relu")
        self.normalise = keras.layers.BatchNormalization()
        self.drop = keras.layers.Dropout(0.2)
        self.outer = keras.layers.Dense(1)

    def call(self, inputs, training=None):
        hidden = self.normalise(self.inner(inputs), training=training)
        return self.outer(self.drop(hidden, training=training))


model = Net()
model.compile("adam", "mse")
model.fit(x, y, epochs=2, verbose=0)
