"""Langevin sampler for a mixture of two Gaussians."""
import argparse

import numpy as np
import tensorflow as tf


class Mixture:
    def __init__(self, centres, sigma):
        self.centres = tf.constant(centres, tf.float32)
        self.sigma = sigma

    def score(self, x):
        diff = self.centres[None] - x[:, None]
        weights = tf.nn.softmax(-tf.reduce_sum(diff ** 2, -1) / (2 * self.sigma ** 2), axis=-1)
        return tf.reduce_sum(weights[..., None] * diff, 1) / self.sigma ** 2


class Langevin:
    def __init__(self, target, args):
        self.target = target
        self.eps = args.eps
        self.n_steps = args.steps

    def kick(self, x):
        noise = tf.random.normal(tf.shape(x))
        return x + 0.5 * self.eps * self.target.score(x) + self.eps ** 0.5 * noise

    @tf.function
    def run(self, x):
        for _ in range(self.n_steps):
            x = self.kick(x)
        return x


def parse(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--eps", type=float, default=0.05)
    parser.add_argument("--chains", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(argv)


def main():
    args = parse()
    tf.random.set_seed(args.seed)
    target = Mixture([[-2.0, 0.0], [2.0, 0.0]], sigma=0.7)
    sampler = Langevin(target, args)
    samples = sampler.run(tf.zeros([args.chains, 2])).numpy()
    print("mean", np.round(samples.mean(0), 2), "spread", np.round(samples.std(0), 2))


if __name__ == "__main__":
    main()
