"""Programs whose cure reaches into a layer, a helper or a base class, each with its files.

By name: the files, the first of which is run.
"""

TWO_STEPS_WITHOUT_A_GRADIENT = """import numpy as np
import keras
import tensorflow as tf
from keras import ops


class Gate(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.score = keras.layers.Dense(units)

    def call(self, x):
        open_ = tf.cast(tf.greater(self.score(x), 0.0), tf.float32)
        return x * open_


class Steps(keras.layers.Layer):
    def call(self, x):
        return ops.ceil(x * 4.0) / 4.0


inputs = keras.Input((3,))
outputs = keras.layers.Dense(1)(Gate(3)(Steps()(keras.layers.Dense(3)(inputs))))
model = keras.Model(inputs, outputs)
keras.utils.set_random_seed(1)
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(32, 3)).astype("float32")
h = model.fit(x, x.sum(1), epochs=3, verbose=0)
print([round(l, 3) for l in h.history["loss"]])
"""

UNSEEN: dict[str, dict[str, str]] = {
    "two steps without a gradient": {"main.py": TWO_STEPS_WITHOUT_A_GRADIENT},
}
