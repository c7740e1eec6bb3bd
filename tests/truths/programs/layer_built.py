"""A layer of one's own with `build`."""

import keras
import numpy as np

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")


class Scaled(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")

    def call(self, inputs):
        return keras.ops.matmul(inputs, self.kernel) * 0.5


model = keras.Sequential([keras.Input([4]), Scaled(3), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, verbose=0)
