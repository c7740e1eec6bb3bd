"""An LSTM on sequences of one length."""

import keras
import numpy as np

x = np.random.rand(16, 6, 3).astype("float32")
y = np.random.rand(16, 1).astype("float32")
model = keras.Sequential([keras.Input([6, 3]), keras.layers.LSTM(5), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, verbose=0)
