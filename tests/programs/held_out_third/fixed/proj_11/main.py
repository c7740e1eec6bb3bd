"""GP interpolation of a simulator response (noise free, so the matrix is nearly singular)."""
import argparse
import logging

import numpy as np
import tensorflow as tf

from gp import GPRegression
from kernels import RBF
from optimise import fit_hyperparameters


def simulator(x):
    return np.sin(3 * x) + 0.3 * x


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--points", type=int, default=40)
    ap.add_argument("--length", type=float, default=2.0)
    ap.add_argument("--steps", type=int, default=30)
    a = ap.parse_args()
    logging.basicConfig(level=logging.WARNING)

    x = np.linspace(-2, 2, a.points)[:, None]
    y = simulator(x)
    gp = GPRegression(RBF(length=a.length), noise=1e-18)
    gp = fit_hyperparameters(gp, tf.constant(x), tf.constant(y), steps=a.steps)

    grid = np.linspace(-2, 2, 101)[:, None]
    mean, var = gp.predict(tf.constant(x), tf.constant(y), tf.constant(grid))
    err = np.abs(mean.numpy() - simulator(grid)[:, 0]).max()
    print(f"length {float(tf.exp(gp.kernel.log_length)):.3f}  max error {err:.2e}  max var {float(tf.reduce_max(var)):.2e}")


if __name__ == "__main__":
    main()
