"""Regression with a custom metric: the 90 % quantile of the absolute error."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class QuantileError(keras.metrics.Metric):
    def __init__(self, q=0.9, name="q90", **kwargs):
        super().__init__(name=name, **kwargs)
        self.q = q
        self.count = self.add_weight(name="count", initializer="zeros")
        self.errors = []

    def update_state(self, y_true, y_pred, sample_weight=None):
        err = tf.reshape(tf.abs(y_true - y_pred), [-1])
        self.errors.append(err)
        self.count.assign_add(tf.cast(tf.size(err), tf.float32))

    def result(self):
        values = tf.sort(tf.concat(self.errors, axis=0))
        index = tf.cast(self.q * tf.cast(tf.size(values) - 1, tf.float32), tf.int32)
        return values[index]

    def reset_state(self):
        self.count.assign(0.0)
        self.errors = []


def data(n=256, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4)).astype("float32")
    y = x @ np.array([[1.0], [-2.0], [0.5], [0.0]], "float32") + 0.3 * rng.standard_t(3, size=(n, 1)).astype("float32")
    return x, y.astype("float32")


def build():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss="mse")
    return model


class Evaluator:
    def __init__(self, model):
        self.model = model
        self.metric = QuantileError()

    @tf.function
    def step(self, x, y):
        self.metric.update_state(y, self.model(x, training=False))

    def run(self, ds):
        self.metric.reset_state()
        for x, y in ds:
            self.step(x, y)
        return self.metric.result()


def main():
    x, y = data()
    model = build()
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
    evaluator = Evaluator(model)
    for epoch in range(2):
        model.fit(ds, epochs=1, verbose=0)
        print("epoch", epoch, "q90 %.4f" % float(evaluator.run(ds)), "rows", int(evaluator.metric.count))


if __name__ == "__main__":
    main()
