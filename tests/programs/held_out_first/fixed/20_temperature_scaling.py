"""Calibrates the logits of a trained classifier with one learnt temperature."""
import argparse

import numpy as np
import tensorflow as tf


class Calibrator(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.temperature = tf.Variable(float(start), name="temperature")

    def __call__(self, logits):
        return logits / tf.cast(self.temperature, logits.dtype)


class GradientDescent:
    def __init__(self, rate):
        self.rate = rate

    def apply(self, tape, loss, variables):
        for v, grad in zip(variables, tape.gradient(loss, variables)):
            if grad is not None:
                v.assign_sub(tf.cast(self.rate * grad, v.dtype))


def fit(calibrator, logits, labels, optimizer, steps):
    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels, logits=calibrator(logits)))
        optimizer.apply(tape, loss, calibrator.trainable_variables)
        return loss

    return [float(step()) for _ in range(steps)]


def overconfident(n=400, classes=4):
    rng = np.random.default_rng(20)
    labels = rng.integers(0, classes, size=n)
    logits = rng.normal(size=(n, classes))
    logits[np.arange(n), labels] += 1.0
    return tf.constant(6.0 * logits, tf.float32), tf.constant(labels, tf.int32)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=int, default=1, help="initial temperature")
    parser.add_argument("--rate", type=float, default=0.5)
    parser.add_argument("--steps", type=int, default=30)
    args = parser.parse_args()
    calibrator = Calibrator(args.start)
    losses = fit(calibrator, *overconfident(), GradientDescent(args.rate), args.steps)
    print("temperature", calibrator.temperature.numpy(), "loss %.3f -> %.3f" % (losses[0], losses[-1]))
