"""Hyper parameter change by making a new step each phase (two phases only)."""
import numpy as np
import tensorflow as tf


class Phase:
    def __init__(self, name, rate, steps):
        self.name, self.rate, self.steps = name, rate, steps


def make_step(w, phase):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w - y))
        w.assign_sub(phase.rate * tape.gradient(loss, w))
        return loss
    return step


def main():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(32, 3)), tf.float32)
    y = tf.reduce_sum(x, 1, keepdims=True)
    w = tf.Variable(tf.zeros([3, 1]))
    for phase in (Phase("fast", 0.2, 20), Phase("fine", 0.02, 20)):
        step = make_step(w, phase)
        for _ in range(phase.steps):
            loss = step(x, y)
        print(phase.name, "%.6f" % float(loss))


if __name__ == "__main__":
    main()
