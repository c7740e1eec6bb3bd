"""Asking an unbuilt model for its variables raises

`model.trainable_variables` before the model is built raises a ValueError: weights have not yet been
created.

Say instead: on Keras 3 it is silently an empty list, and training with it changes nothing.
"""

import keras
import tensorflow as tf

model = keras.Sequential([keras.layers.Dense(10)])
try:
    variables = model.trainable_variables
    outcome = f"{len(variables)} variables, no error"
except ValueError:
    outcome = "ValueError"
print("before it is built:", outcome)
model.build((None, 784))
print("after build:", len(model.trainable_variables), "variables")
print("TensorFlow", tf.__version__.rsplit(".", 1)[0], "Keras", keras.__version__.split(".")[0])
print("verdict:", "true" if outcome == "ValueError" else "false")
