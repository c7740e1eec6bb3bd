"""Trains a tagger and scores it on the held-out set after every epoch."""
import contextlib
import functools
import time

import numpy as np
import tensorflow as tf


@contextlib.contextmanager
def stopwatch(label, sink):
    start = time.perf_counter()
    yield
    sink.setdefault(label, []).append(time.perf_counter() - start)


def score_batch(model, x, y, threshold):
    predicted = tf.cast(tf.sigmoid(model(x, training=False)) > threshold, tf.float32)
    hit = tf.reduce_sum(predicted * y)
    return hit, tf.reduce_sum(predicted), tf.reduce_sum(y)


class Evaluator:
    def __init__(self, model, dataset, threshold=0.5):
        self.model = model
        self.dataset = dataset
        self.threshold = threshold
        self.times = {}

    def f1(self):
        score = tf.function(functools.partial(score_batch, self.model, threshold=self.threshold))
        totals = np.zeros(3)
        with stopwatch("evaluate", self.times):
            for x, y in self.dataset:
                totals += [float(v) for v in score(x, y)]
        hit, predicted, actual = totals
        return 2 * hit / max(predicted + actual, 1.0)


def data(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 10)).astype("float32")
    y = (x[:, :4] + 0.3 * rng.normal(size=(n, 4)) > 0).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(32, drop_remainder=True)


def main():
    tf.keras.utils.set_random_seed(9)
    model = tf.keras.Sequential([tf.keras.Input([10]), tf.keras.layers.Dense(32, activation="relu"),
                                 tf.keras.layers.Dense(4)])
    optimizer = tf.keras.optimizers.Adam(3e-3)
    loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    evaluator = Evaluator(model, data(128, 1))
    train_set = data(256, 0)
    for epoch in range(8):
        for x, y in train_set:
            train(x, y)
        print("epoch %d f1 %.2f" % (epoch, evaluator.f1()))


if __name__ == "__main__":
    main()
