"""Optimises an image so that its filter responses match those of a texture."""
from types import SimpleNamespace

import numpy as np
import tensorflow as tf

cfg = SimpleNamespace(size=24, filters=6, steps=15, lr=2.0)


def filter_bank(n):
    return tf.random.stateless_normal([5, 5, 1, n], seed=[1, 2]) * 0.2


def gram(image, bank):
    r = tf.nn.conv2d(image[None, ..., None], bank, 1, "VALID")
    flat = tf.reshape(r, [-1, r.shape[-1]])
    return tf.matmul(flat, flat, transpose_a=True) / float(flat.shape[0])


class Canvas:
    def __init__(self, size):
        self.pixels = tf.Variable(tf.random.stateless_uniform([size, size], seed=[3, 4]))

    def nudge(self, direction, lr):
        self.pixels.assign(tf.clip_by_value(self.pixels - lr * direction, 0.0, 1.0))


def texture(size):
    yy, xx = np.mgrid[:size, :size]
    return tf.constant(0.5 + 0.5 * np.sin(xx * 0.8) * np.cos(yy * 0.3), tf.float32)


def transfer():
    bank = filter_bank(cfg.filters)
    goal = gram(texture(cfg.size), bank)
    canvas = Canvas(cfg.size)
    losses = []
    for _ in range(cfg.steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(gram(canvas.pixels, bank) - goal))
        canvas.nudge(tape.gradient(loss, canvas.pixels), cfg.lr)
        losses.append(float(loss))
    return losses


if __name__ == "__main__":
    trail = transfer()
    print("loss", trail[0], "->", trail[-1])
