"""Trainer that writes each step's loss and gradient norm to a CSV log."""
import csv
import os
import tempfile

import numpy as np
import tensorflow as tf


class StepLog:
    def __init__(self, path):
        self.path = path
        with open(path, "w", newline="") as f:
            csv.writer(f).writerow(["phase", "name", "shape"])

    def write(self, *row):
        with open(self.path, "a", newline="") as f:
            csv.writer(f).writerow(row)

    def rows(self):
        with open(self.path) as f:
            return sum(1 for _ in f) - 1


class BaseTrainer:
    def __init__(self, model, log):
        self.model, self.log = model, log
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.optimizer.build(model.trainable_variables)

    def loss(self, x, y):
        raise NotImplementedError

    def after_step(self, grads):
        pass

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(x, y)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss, grads

    def train(self, x, y):
        loss, grads = self.step(x, y)
        self.after_step(grads)
        return loss


class LoggedTrainer(BaseTrainer):
    def loss(self, x, y):
        return tf.reduce_mean(tf.square(self.model(x, training=True) - y))

    def after_step(self, grads):
        norm = tf.linalg.global_norm(grads)
        self.log.write("train", "gradient norm", float(norm))


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(160, 4)).astype("float32")
    y = x.sum(1, keepdims=True)
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    log = StepLog(os.path.join(tempfile.mkdtemp(), "steps.csv"))
    trainer = LoggedTrainer(model, log)
    for bx, by in tf.data.Dataset.from_tensor_slices((x, y)).batch(16):
        loss = trainer.train(bx, by)
    print("loss %.4f, rows in the log: %d" % (float(loss), log.rows()))


if __name__ == "__main__":
    main()
