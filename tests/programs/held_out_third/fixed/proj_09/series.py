"""Load curves with daily and weekly pattern."""
import numpy as np
import tensorflow as tf


def load_curve(hours=900, seed=3):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    y = np.sin(2 * np.pi * t / 24) + 0.4 * np.sin(2 * np.pi * t / 168)
    return (y + 0.1 * rng.normal(size=hours)).astype(np.float32)


def windows(y, window, horizon, batch):
    xs = np.stack([y[i:i + window] for i in range(len(y) - window - horizon)])
    ys = np.stack([y[i + window:i + window + horizon] for i in range(len(y) - window - horizon)])
    ds = tf.data.Dataset.from_tensor_slices((xs[..., None], ys))
    return ds.shuffle(2048, seed=0).batch(batch, drop_remainder=True).prefetch(1)
