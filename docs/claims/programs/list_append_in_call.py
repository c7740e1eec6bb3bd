"""The list loop in `call` raises InaccessibleTensorError

A Python list filled in a loop over a tensor length, inside a model's `call`, raises
InaccessibleTensorError as soon as the model is called in a `tf.function`.

Say instead: in a plain `tf.function` it does. Through Keras 3 the loop is not even converted, and
`range` of a tensor raises a TypeError.
"""

import keras
import tensorflow as tf


def attend(x):
    windows = []
    for t in range(tf.shape(x)[1]):
        windows.append(x[:, t] * 2.0)
    return tf.stack(windows, axis=1)


class Model(keras.Model):
    def call(self, x):
        return attend(x)


def outcome(function):
    try:
        function(tf.ones([2, 3]))
        return "works"
    except Exception as error:
        return type(error).__name__


plain = outcome(tf.function(attend))
model = Model()
through_keras = outcome(tf.function(lambda x: model(x)))
print("eager:", outcome(attend))
print("in a tf.function:", plain)
print("in a tf.function, through a Keras 3 model:", through_keras)
both = plain == through_keras == "InaccessibleTensorError"
print("verdict:", "true" if both else "partly" if plain == "InaccessibleTensorError" else "false")
