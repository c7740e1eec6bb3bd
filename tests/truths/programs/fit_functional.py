"""A functional model with two inputs and two outputs."""

import keras
import numpy as np

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
first, second = keras.Input([4]), keras.Input([4])
both = keras.layers.Concatenate()([first, second])
outputs = [keras.layers.Dense(1, name="a")(both), keras.layers.Dense(1, name="b")(both)]
model = keras.Model([first, second], outputs)
model.compile("adam", loss={"a": "mse", "b": "mse"})
model.fit([x, x], {"a": y, "b": y}, verbose=0)
