"""Matrix factorisation with hyper-parameters that come from a schedule."""
import math

import tensorflow as tf


def cosine(start, end, steps):
    for k in range(steps):
        yield end + 0.5 * (start - end) * (1 + math.cos(math.pi * k / steps))


class HyperSchedule:
    """Yields the keyword arguments of one training step after the other."""

    def __init__(self, steps):
        self.steps = steps

    def __iter__(self):
        for rate, momentum in zip(cosine(0.3, 0.01, self.steps), cosine(0.5, 0.9, self.steps)):
            yield {"rate": tf.constant(rate), "momentum": tf.constant(momentum)}


class Factorizer(tf.Module):
    def __init__(self, rows, cols, rank):
        super().__init__()
        init = tf.random_normal_initializer(0.0, 0.3, seed=2)
        self.u = tf.Variable(init([rows, rank]))
        self.v = tf.Variable(init([rank, cols]))
        self.velocity = [tf.Variable(tf.zeros_like(p), trainable=False) for p in (self.u, self.v)]

    def loss(self, target, mask):
        return tf.reduce_sum(mask * tf.square(target - self.u @ self.v)) / tf.reduce_sum(mask)

    @tf.function
    def step(self, target, mask, *, rate, momentum):
        with tf.GradientTape() as tape:
            loss = self.loss(target, mask)
        for p, vel, g in zip((self.u, self.v), self.velocity, tape.gradient(loss, [self.u, self.v])):
            vel.assign(momentum * vel - rate * g)
            p.assign_add(vel)
        return loss


def main():
    tf.random.set_seed(2)
    target = tf.random.normal([20, 3]) @ tf.random.normal([3, 15])
    mask = tf.cast(tf.random.uniform([20, 15]) < 0.7, tf.float32)
    model = Factorizer(20, 15, 3)
    for kwargs in HyperSchedule(25):
        loss = model.step(target, mask, **kwargs)
    print("final loss %.3f" % float(loss))


main()
