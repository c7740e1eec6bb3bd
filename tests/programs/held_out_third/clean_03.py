"""Day-ahead load forecast with a verbose hand-written loop, early stopping and a run log."""
import json
import logging
import os
import tempfile
import time

import numpy as np
import tensorflow as tf

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("forecast")

STEP_COUNT = 0
RUN_LOG = []


def windows(n=640, past=48, ahead=12, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n + past + ahead)
    load = 1 + 0.4 * np.sin(2 * np.pi * t / 24) + 0.1 * rng.normal(size=len(t))
    x = np.stack([load[i : i + past] for i in range(n)]).astype("float32")
    y = np.stack([load[i + past : i + past + ahead] for i in range(n)]).astype("float32")
    return x, y


class Pinball(tf.keras.losses.Loss):
    def __init__(self, quantiles):
        super().__init__()
        self.quantiles = quantiles

    def call(self, y_true, y_pred):
        total = 0.0
        for i, q in enumerate(self.quantiles):
            err = y_true - y_pred[..., i]
            total += tf.reduce_mean(tf.maximum(q * err, (q - 1.0) * err))
        return total


def build(past, ahead, n_q):
    return tf.keras.Sequential([
        tf.keras.Input((past,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(ahead * n_q),
        tf.keras.layers.Reshape((ahead, n_q)),
    ])


class EarlyStop:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def __call__(self, value):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad > self.patience


def main():
    global STEP_COUNT
    tf.keras.utils.set_random_seed(1)
    x, y = windows()
    train = tf.data.Dataset.from_tensor_slices((x[:512], y[:512])).shuffle(512).batch(64)
    valid = (tf.constant(x[512:]), tf.constant(y[512:]))
    loss_fn = Pinball((0.1, 0.5, 0.9))
    model = build(48, 12, 3)
    opt = tf.keras.optimizers.Adam(3e-3)

    @tf.function
    def step(bx, by):
        with tf.GradientTape() as tape:
            loss = loss_fn(by, model(bx, training=True))
        if tf.math.is_nan(loss):
            tf.print("loss is not a number")
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    @tf.function
    def evaluate(bx, by):
        return loss_fn(by, model(bx, training=False))

    stop = EarlyStop(patience=2)
    for epoch in range(12):
        began, losses = time.time(), []
        for bx, by in train:
            losses.append(step(bx, by).numpy())
            STEP_COUNT += 1
        val = float(evaluate(*valid))
        RUN_LOG.append({"epoch": epoch, "train": float(np.mean(losses)), "val": val})
        log.info("epoch %d train %.4f val %.4f (%.2fs)", epoch, np.mean(losses), val, time.time() - began)
        if stop(val):
            print("stopping after", STEP_COUNT, "steps")
            break

    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "run.json")
        with open(path, "w") as f:
            json.dump(RUN_LOG, f)
        print("wrote", os.path.getsize(path) > 0)


if __name__ == "__main__":
    main()
