"""Langevin sampling from energies; the gradient step takes the energy as an argument."""
import numpy as np
import tensorflow as tf


class Mixture:
    def __init__(self, centres, width):
        self.centres = tf.constant(centres, tf.float32)
        self.width = width

    def __call__(self, x):
        d = tf.reduce_sum(tf.square(x[:, None] - self.centres[None]), -1)
        return -tf.reduce_logsumexp(-d / (2 * self.width ** 2), axis=1)


@tf.function
def langevin_step(x, energy, step_size):
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.reduce_sum(energy(x))
    noise = tf.random.normal(tf.shape(x))
    return x - step_size * tape.gradient(total, x) + tf.sqrt(2.0 * step_size) * noise


class Chain:
    def __init__(self, target, n=64, seed=0):
        self.target = target
        self.x = tf.constant(np.random.default_rng(seed).normal(size=(n, 2)), tf.float32)
        self.history = []

    def run(self, steps, step_size):
        eps = tf.constant(step_size, tf.float32)
        for _ in range(steps):
            self.x = langevin_step(self.x, self.target, eps)
            self.history.append(float(tf.reduce_mean(self.target(self.x))))
        return self

    def summary(self):
        return np.mean(self.history[-10:]), np.cov(self.x.numpy().T).round(2).tolist()


def main():
    tf.random.set_seed(0)
    target = Mixture([[-2.0, 0.0], [2.0, 0.0], [0.0, 2.0]], width=0.7)
    for step_size in (0.05, 0.1):
        energy, cov = Chain(target).run(20, step_size).summary()
        print("step %.2f energy %.3f cov %s" % (step_size, energy, cov))


if __name__ == "__main__":
    main()
