"""`train_on_batch` in a loop."""

import keras
import numpy as np

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
for start in range(0, 32, 8):
    model.train_on_batch(x[start : start + 8], y[start : start + 8])
