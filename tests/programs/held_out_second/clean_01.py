"""Discrete curriculum: the number of rollout steps is a Python number with two values."""
import numpy as np
import tensorflow as tf


class Rollout:
    def __init__(self):
        self.a = tf.Variable([[0.9, 0.1], [0.0, 0.8]])
        self.rate = 0.01

    @tf.function
    def step(self, x, target, horizon):
        with tf.GradientTape() as tape:
            for _ in range(horizon):
                x = x @ self.a
            loss = tf.reduce_mean(tf.square(x - target))
        self.a.assign_sub(self.rate * tape.gradient(loss, self.a))
        return loss


def main():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(16, 2)), tf.float32)
    true = tf.constant([[0.8, 0.2], [-0.1, 0.9]])
    model = Rollout()
    for epoch in range(20):
        horizon = 2 if epoch < 10 else 4
        target = x
        for _ in range(horizon):
            target = target @ true
        loss = model.step(x, target, horizon)
    print("loss %.5f" % float(loss))


if __name__ == "__main__":
    main()
