"""Noisy regression with dropout, in the style of train()/eval() modes."""
from contextlib import contextmanager

import numpy as np
import tensorflow as tf


class Moded(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.training = True

    @contextmanager
    def evaluating(self):
        previous, self.training = self.training, False
        try:
            yield self
        finally:
            self.training = previous


class DropNet(Moded):
    def __init__(self, dim, hidden=32, rate=0.3):
        super().__init__(name="dropnet")
        self.w1 = tf.Variable(tf.random.normal([dim, hidden], stddev=dim ** -0.5))
        self.w2 = tf.Variable(tf.random.normal([hidden, 1], stddev=hidden ** -0.5))
        self.rate = rate

    def __call__(self, x):
        return self.forward(x, training=self.training)

    @tf.function
    def forward(self, x, training):
        h = tf.nn.relu(x @ self.w1)
        if training:
            h = tf.nn.dropout(h, self.rate)
        return h @ self.w2


def mse(net, x, y):
    return tf.reduce_mean(tf.square(net(x) - y))


def train_epoch(net, batches, lr):
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = mse(net, x, y)
        variables = net.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(lr * g)


def evaluate(net, x, y):
    with net.evaluating():
        return float(mse(net, x, y))


def main():
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(160, 4)), tf.float32)
    y = tf.reduce_sum(x[:, :2], axis=1, keepdims=True)
    train = tf.data.Dataset.from_tensor_slices((x[:128], y[:128])).batch(32)
    net = DropNet(4)
    for epoch in range(6):
        train_epoch(net, train, lr=0.05)
        print("epoch", epoch, "valid %.4f" % evaluate(net, x[128:], y[128:]))
    print("again  ", ["%.4f" % evaluate(net, x[128:], y[128:]) for _ in range(3)])


if __name__ == "__main__":
    main()
