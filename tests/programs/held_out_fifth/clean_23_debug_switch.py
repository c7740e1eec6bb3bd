"""Checks a compiled function against its eager run once, then benchmarks the compiled form."""
import contextlib
import time

import numpy as np
import tensorflow as tf


@contextlib.contextmanager
def eager_mode():
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


SMALL_TABLE = np.linspace(0.0, 1.0, 16, dtype="float32")


@tf.function
def interpolate(q):
    pos = tf.clip_by_value(q, 0.0, 1.0) * (len(SMALL_TABLE) - 1)
    lo = tf.cast(tf.floor(pos), tf.int32)
    hi = tf.minimum(lo + 1, len(SMALL_TABLE) - 1)
    frac = pos - tf.cast(lo, tf.float32)
    table = tf.constant(SMALL_TABLE**2)
    return (1.0 - frac) * tf.gather(table, lo) + frac * tf.gather(table, hi)


def agree(q):
    compiled = interpolate(q).numpy()
    with eager_mode():
        plain = interpolate(q).numpy()
    return np.allclose(compiled, plain)


def bench(q, n=50):
    interpolate(q)
    start = time.perf_counter()
    for _ in range(n):
        out = interpolate(q)
    _ = out.numpy()
    return (time.perf_counter() - start) / n


def main():
    q = tf.constant(np.random.default_rng(0).uniform(size=1000), tf.float32)
    print("agree", agree(q))
    print(f"{bench(q) * 1e6:.0f} us per call")
    print("largest", float(tf.reduce_max(interpolate(q))))


if __name__ == "__main__":
    main()
