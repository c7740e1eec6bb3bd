"""Mixture density network for one target, with a sanity check on the mixture weights."""
import math

import numpy as np
import tensorflow as tf

K = 3


def check_simplex(p):
    total = tf.reduce_sum(p, axis=-1)
    tf.debugging.assert_less(tf.abs(total - 1.0), 1e-3, message="mixture weights do not sum to one")
    return p


def init(shape, seed):
    return tf.Variable(tf.random.stateless_normal(shape, seed=[seed, 0]) * 0.3)


class MDN(tf.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.w1, self.b1 = init([1, hidden], 1), tf.Variable(tf.zeros([hidden]))
        self.w2, self.b2 = init([hidden, 3 * K], 2), tf.Variable(tf.zeros([3 * K]))

    def __call__(self, x):
        h = tf.tanh(x @ self.w1 + self.b1)
        logits, mu, log_sd = tf.split(h @ self.w2 + self.b2, 3, axis=-1)
        return check_simplex(tf.nn.softmax(logits)), mu, tf.exp(log_sd)


def nll(params, y):
    pi, mu, sd = params
    z = (y - mu) / sd
    comp = tf.math.log(pi) - 0.5 * z**2 - tf.math.log(sd) - 0.5 * math.log(2 * math.pi)
    return -tf.reduce_mean(tf.reduce_logsumexp(comp, axis=-1))


def train(model, x, y, steps):
    opt = tf.keras.optimizers.Adam(0.02)
    opt.build(list(model.trainable_variables))

    @tf.function
    def one():
        with tf.GradientTape() as tape:
            loss = nll(model(x), y)
        w = model.trainable_variables
        opt.apply_gradients(zip(tape.gradient(loss, w), w))
        return loss

    losses = [float(one()) for _ in range(steps)]
    return losses[0], losses[-1]


if __name__ == "__main__":
    rng = np.random.default_rng(30)
    t = rng.uniform(-1, 1, size=(256, 1)).astype("float32")
    s = (t + 0.3 * np.sin(6 * t) + 0.05 * rng.normal(size=t.shape)).astype("float32")
    print(train(MDN(), tf.constant(s), tf.constant(t), 30))
