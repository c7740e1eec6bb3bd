"""Leapfrog integration of a few oscillators, with the energy along the path."""
import argparse

import numpy as np
import tensorflow as tf


def potential(q):
    return 0.5 * tf.reduce_sum(tf.square(q), axis=-1) + 0.1 * tf.reduce_sum(q ** 4, axis=-1)


def force(q):
    with tf.GradientTape() as tape:
        tape.watch(q)
        u = potential(q)
    return -tape.gradient(u, q)


class Integrator:
    def __init__(self, dt):
        self.dt = tf.constant(dt, tf.float32)

    def kick(self, q, p, part=0.5):
        return p + part * self.dt * force(q)

    def drift(self, q, p):
        return q + self.dt * p

    def energy(self, q, p):
        return potential(q) + 0.5 * tf.reduce_sum(tf.square(p), axis=-1)

    @tf.function
    def integrate(self, q, p, steps):
        energies = []
        for _ in tf.range(steps):
            p = self.kick(q, p)
            q = self.drift(q, p)
            p = self.kick(q, p)
            energies.append(self.energy(q, p))
        return q, p, tf.stack(energies)


def drift_report(energies):
    rel = np.abs(energies - energies[0]) / energies[0]
    return rel.max(axis=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dt", type=float, default=0.05)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--particles", type=int, default=3)
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    q = tf.constant(rng.normal(size=(args.particles, 2)), tf.float32)
    p = tf.constant(rng.normal(size=(args.particles, 2)), tf.float32)

    engine = Integrator(args.dt)
    q, p, energies = engine.integrate(q, p, tf.constant(args.steps))
    print("energies", energies.shape)
    for i, worst in enumerate(drift_report(energies.numpy())):
        print("particle %d: worst drift %.5f" % (i, worst))


if __name__ == "__main__":
    main()
