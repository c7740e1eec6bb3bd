"""Kalman filter over a batch of 1-D tracks; learns the process noise by likelihood."""
import math

import numpy as np
import tensorflow as tf


class Collector:
    """Keeps the filtered means and log-likelihood terms until they are stacked."""

    def __init__(self):
        self.means = []
        self.terms = []

    def push(self, mean, term):
        self.means.append(mean)
        self.terms.append(term)

    def result(self):
        return tf.stack(self.means), tf.add_n(self.terms)


class Kalman(tf.Module):
    def __init__(self, q=0.05, r=0.3):
        super().__init__()
        self.log_q = tf.Variable(math.log(q), dtype=tf.float32)
        self.log_r = tf.Variable(math.log(r), dtype=tf.float32)

    def correct(self, mean, var, obs):
        var = var + tf.exp(self.log_q)
        s = var + tf.exp(self.log_r)
        gain = var / s
        innov = obs - mean
        term = -0.5 * tf.reduce_mean(tf.square(innov) / s + tf.math.log(2 * math.pi * s))
        return mean + gain * innov, (1.0 - gain) * var, term

    def filter(self, tracks):
        mean = tf.zeros_like(tracks[0])
        var = tf.ones_like(tracks[0])
        keep = Collector()
        for obs in tracks:
            mean, var, term = self.correct(mean, var, obs)
            keep.push(mean, term)
        return keep.result()


@tf.function
def ascend(model, tracks):
    with tf.GradientTape() as tape:
        means, loglik = model.filter(tracks)
    for v, g in zip(model.trainable_variables, tape.gradient(loglik, model.trainable_variables)):
        v.assign_add(0.01 * g)
    return loglik, means[-1]


def main():
    rng = np.random.default_rng(4)
    walk = np.cumsum(0.2 * rng.normal(size=(40, 6)), axis=0)
    tracks = tf.constant(walk + 0.5 * rng.normal(size=walk.shape), tf.float32)
    model = Kalman()
    for _ in range(5):
        loglik, last = ascend(model, tracks)
    print("loglik", float(loglik), "q", float(tf.exp(model.log_q)))


if __name__ == "__main__":
    main()
