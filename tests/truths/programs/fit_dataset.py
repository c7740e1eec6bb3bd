"""`fit` on a pipeline, with validation."""

import keras
import numpy as np
import tensorflow as tf

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(32).batch(8, drop_remainder=True).prefetch(2)
model.compile(keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
model.fit(data, epochs=2, validation_data=data, verbose=0)
