"""Leading principal component by power iteration with early stop."""
import argparse

import numpy as np
import tensorflow as tf


def normalise(v):
    return v / tf.norm(v)


class StopRule:
    def __init__(self, tol):
        self.tol = tol

    def reached(self, old, new):
        return tf.norm(new - old) < self.tol


@tf.function
def leading_vector(cov, rule, max_iter=50):
    v = normalise(tf.ones([cov.shape[0]]))
    for _ in range(max_iter):
        nxt = normalise(tf.linalg.matvec(cov, v))
        if rule.reached(v, nxt):
            break
        v = nxt
    return v


def deflate(cov, v):
    lam = tf.tensordot(v, tf.linalg.matvec(cov, v), 1)
    return cov - lam * v[:, None] * v[None, :], lam


def components(x, k, rule):
    x = x - tf.reduce_mean(x, axis=0)
    cov = tf.matmul(x, x, transpose_a=True) / tf.cast(tf.shape(x)[0], tf.float32)
    out = []
    for _ in range(k):
        v = leading_vector(cov, rule)
        cov, lam = deflate(cov, v)
        out.append((float(lam), v.numpy()))
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rows", type=int, default=300)
    p.add_argument("--tol", type=float, default=1e-5)
    args = p.parse_args([])
    rng = np.random.default_rng(0)
    x = rng.normal(size=(args.rows, 6)) @ np.diag([3, 2, 1, 0.5, 0.2, 0.1])
    for lam, v in components(tf.constant(x, tf.float32), 2, StopRule(args.tol)):
        print(round(lam, 3), np.round(v, 2))


if __name__ == "__main__":
    main()
