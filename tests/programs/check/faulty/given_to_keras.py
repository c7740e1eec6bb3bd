"""Functions that Keras calls: a loss, a metric, a Lambda layer, a learning rate schedule."""

import keras
import tensorflow as tf
from keras import ops


def clipped(y_true, y_pred):
    error = ops.mean(ops.square(y_true - y_pred))
    if error > 10.0:  # <- GD701
        error = ops.log(error)
    return error


def largest(y_true, y_pred):
    return float(ops.max(y_pred).numpy())  # <- GD801


def positive(x):
    return x if tf.reduce_sum(x) > 0 else -x  # <- GD701


class Warmup(keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        if step < 100:  # <- GD701
            return 0.1
        return 0.01


def build():
    model = keras.Sequential([keras.layers.Lambda(positive), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD(Warmup()), loss=clipped, metrics=[largest])
    return model
