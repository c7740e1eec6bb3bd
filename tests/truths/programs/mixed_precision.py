"""`fit` in mixed precision."""

import keras
import numpy as np

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
keras.config.set_dtype_policy("mixed_float16")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, verbose=0)
