import numpy as np
import tensorflow as tf


def hourly_counts(hours, seed=1):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    x = np.stack([np.sin(2 * np.pi * t / 24), np.cos(2 * np.pi * t / 24), np.ones(hours)], axis=-1)
    y = 3 + 2 * x[:, 0] - x[:, 1] + 0.1 * rng.normal(size=hours)
    return tf.constant(x, tf.float32), tf.constant(y[:, None], tf.float32)
