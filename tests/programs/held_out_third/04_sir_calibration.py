"""Calibrate an SIR epidemic model to noisy case counts by gradient descent."""
import argparse
from typing import List, NamedTuple

import numpy as np
import tensorflow as tf


class Epidemic(NamedTuple):
    population: float = 1000.0
    infected0: float = 5.0
    days: int = 40


def simulate(log_rates, epi: Epidemic):
    beta, gamma = tf.exp(log_rates[0]), tf.exp(log_rates[1])

    def day(state, _):
        s, i = state
        new_cases = beta * s * i / epi.population
        recovered = gamma * i
        return s - new_cases, i + new_cases - recovered

    s0 = tf.constant(epi.population - epi.infected0)
    i0 = tf.constant(epi.infected0)
    susceptible, _ = tf.scan(day, tf.range(epi.days), initializer=(s0, i0))
    before = tf.concat([[s0], susceptible[:-1]], axis=0)
    return before - susceptible


class Calibrator:
    def __init__(self, observed, epi, lr):
        self.observed = tf.constant(observed, tf.float32)
        self.epi = epi
        self.lr = lr

    @tf.function
    def loss_and_grads(self, params):
        with tf.GradientTape() as tape:
            cases = simulate(params, self.epi)
            residual = tf.math.log1p(tf.nn.relu(cases)) - tf.math.log1p(self.observed)
            loss = tf.reduce_mean(tf.square(residual))
        return loss, tape.gradient(loss, params)

    def descend(self, params: List, grads):
        moved = []
        for p, g in zip(params, grads):
            if g is None:
                moved.append(p)
            else:
                moved.append(p - self.lr * tf.clip_by_value(g, -5.0, 5.0))
        return moved

    def fit(self, params, steps):
        losses = []
        for _ in range(steps):
            loss, grads = self.loss_and_grads(params)
            params = self.descend(params, grads)
            losses.append(float(loss))
        return params, losses


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--lr", type=float, default=0.03)
    args = ap.parse_args()

    epi = Epidemic()
    truth = [tf.math.log(0.45), tf.math.log(0.15)]
    rng = np.random.default_rng(0)
    observed = np.maximum(simulate(truth, epi).numpy() + rng.normal(0, 1.0, epi.days), 0.0)

    start = [tf.Variable(np.log(0.30).astype("float32")), tf.Variable(np.log(0.25).astype("float32"))]
    params, losses = Calibrator(observed, epi, args.lr).fit(start, args.steps)
    beta, gamma = (float(tf.exp(p)) for p in params)
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}   beta={beta:.3f} gamma={gamma:.3f}")


if __name__ == "__main__":
    main()
