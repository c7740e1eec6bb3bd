"""Evaluation of one regressor over several slices of the data."""
import contextlib
import time

import numpy as np
import tensorflow as tf
import keras


@contextlib.contextmanager
def section(title):
    begin = time.perf_counter()
    yield
    print(f"[{title}] took {time.perf_counter() - begin > 0}")


def make_metrics(names):
    table = {"mae": keras.metrics.MeanAbsoluteError, "mse": keras.metrics.MeanSquaredError}
    return {name: table[name]() for name in names}


class SliceEvaluator:
    def __init__(self, model, names=("mae", "mse")):
        self.model = model
        self.names = names

    @tf.function(input_signature=[tf.TensorSpec([None, 4]), tf.TensorSpec([None, 1])])
    def evaluate(self, x, y):
        metrics = make_metrics(self.names)
        pred = self.model(x, training=False)
        for metric in metrics.values():
            metric.update_state(y, pred)
        return {name: metric.result() for name, metric in metrics.items()}


def slices(n=120, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    for title, mask in {"all": x[:, 0] < 9, "positive": x[:, 0] > 0, "tail": x[:, 1] > 1}.items():
        yield title, x[mask], y[mask]


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"),
                              keras.layers.Dense(1)])
    evaluator = SliceEvaluator(model)
    for title, x, y in slices():
        with section(title):
            scores = evaluator.evaluate(x, y)
        print(title, {k: round(float(v), 4) for k, v in scores.items()})
