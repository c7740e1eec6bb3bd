"""Adversarial domain training: the domains take turns."""
import itertools

import numpy as np
import tensorflow as tf


class DomainRotation:
    """Tells which domain's batch is next."""

    def __init__(self, names):
        self.names = tuple(names)
        self._turn = itertools.cycle(range(len(self.names)))

    def upcoming(self):
        return next(self._turn)


class MultiDomainModel(tf.Module):
    def __init__(self, n_features, rotation):
        super().__init__()
        self.rotation = rotation
        self.shared = tf.Variable(tf.random.normal([n_features, 8], stddev=0.3))
        self.heads = tf.Variable(tf.zeros([len(rotation.names), 8, 1]))
        self.counts = tf.Variable(tf.zeros([len(rotation.names)], tf.int32), trainable=False)

    def forward(self, x, domain):
        return tf.tanh(x @ self.shared) @ self.heads[domain]

    @tf.function
    def step(self, x, y, domain):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self.forward(x, domain)))
        targets = [self.shared, self.heads]
        for v, g in zip(targets, tape.gradient(loss, targets)):
            v.assign_sub(0.1 * g)
        self.counts.scatter_nd_add([[domain]], [1])
        return loss


def batches(rng, weights, n=32):
    out = []
    for w in weights:
        x = rng.normal(size=(n, len(w))).astype("float32")
        out.append((tf.constant(x), tf.constant((x @ w)[:, None].astype("float32"))))
    return out


def main():
    tf.random.set_seed(16)
    rng = np.random.default_rng(16)
    rotation = DomainRotation(["books", "films", "music"])
    model = MultiDomainModel(5, rotation)
    weights = rng.normal(size=(3, 5))
    for _ in range(12):
        domain = rotation.upcoming()
        x, y = batches(rng, weights)[domain]
        model.step(x, y, tf.constant(domain))
    print("steps per domain:", dict(zip(rotation.names, model.counts.numpy().tolist())))


main()
