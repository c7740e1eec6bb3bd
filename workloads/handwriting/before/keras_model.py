"""The same loop inside a Keras 3 model: it fails too, but with other errors.

Keras 3 does not let AutoGraph convert what it calls. So the loop stays Python's own, and Python
cannot count to a tensor whose value is not known yet, list or no list:
`python workloads/handwriting/before/keras_model.py [list|range|tensorarray]`.
"""

import sys

import keras
import tensorflow as tf


class WithList(keras.layers.Layer):
    """Counts with `tf.range`, keeps a list."""

    def call(self, hiddens):
        windows = []
        for step in tf.range(tf.shape(hiddens)[1]):
            windows.append(hiddens[:, step, :] * 2)
        return tf.stack(windows, axis=1)  # [batch, time, hidden]


class WithRange(keras.layers.Layer):
    """Counts with Python's `range` of a tensor, keeps a list."""

    def call(self, hiddens):
        windows = []
        for step in range(tf.shape(hiddens)[1]):
            windows.append(hiddens[:, step, :] * 2)
        return tf.stack(windows, axis=1)  # [batch, time, hidden]


class WithTensorArray(keras.layers.Layer):
    """The usual remedy, which is none here: the loop is still Python's."""

    def call(self, hiddens):
        steps = tf.shape(hiddens)[1]
        windows = tf.TensorArray(tf.float32, size=steps)
        for step in tf.range(steps):
            windows = windows.write(step, hiddens[:, step, :] * 2)
        return tf.transpose(windows.stack(), [1, 0, 2])  # [batch, time, hidden]


LAYERS = {"list": WithList, "range": WithRange, "tensorarray": WithTensorArray}


def predict_with(name):
    """Run one of the layers in a graph."""
    layer = LAYERS[name]()

    @tf.function
    def predict(hiddens):
        return layer(hiddens)

    return predict(tf.ones([2, 3, 4]))


if __name__ == "__main__":
    print(predict_with(sys.argv[1] if len(sys.argv) > 1 else "list").shape)
