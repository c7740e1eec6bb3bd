"""Robust regression: the largest errors of a batch do not count."""
import numpy as np
import tensorflow as tf
import tensorflow.keras.backend as K
from tensorflow import keras


def squared_error(y_true, y_pred):
    return K.mean(K.square(y_true - y_pred), axis=-1)


def trimmed(base, share):
    """Makes a loss that ignores the given share of the worst examples."""

    def loss(y_true, y_pred):
        errors = base(y_true, y_pred)
        limit = np.percentile(errors, 100 * (1 - share))
        keep = tf.cast(errors <= limit, errors.dtype)
        return tf.reduce_sum(keep * errors) / (tf.reduce_sum(keep) + K.epsilon())

    loss.__name__ = "trimmed_" + base.__name__
    return loss


LOSSES = {
    "plain": squared_error,
    "trimmed": trimmed(squared_error, share=0.1),
}


def data(n=160):
    rng = np.random.default_rng(17)
    x = rng.normal(size=(n, 4)).astype("float32")
    y = x.sum(axis=1, keepdims=True) + 0.05 * rng.normal(size=(n, 1))
    y[rng.choice(n, n // 20, replace=False)] += 25.0
    return x, y.astype("float32")


def fit(name):
    keras.utils.set_random_seed(17)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.05), loss=LOSSES[name])
    x, y = data()
    history = model.fit(x, y, batch_size=40, epochs=5, verbose=0)
    return history.history["loss"][-1]


for name in ("plain", "trimmed"):
    print(name, "final loss %.3f" % fit(name))
