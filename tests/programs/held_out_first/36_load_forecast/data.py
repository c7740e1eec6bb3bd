import numpy as np
import tensorflow as tf


def series(n=160, seed=36):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    return (np.sin(t / 4) + 0.3 * np.sin(t / 11) + 0.05 * rng.normal(size=n)).astype("float32")


def windows(cfg):
    values = series()
    size = cfg.window + cfg.horizon
    rows = np.stack([values[i:i + size] for i in range(len(values) - size)])
    ds = tf.data.Dataset.from_tensor_slices((rows[:, :cfg.window], rows[:, cfg.window:]))
    return ds.batch(cfg.batch, drop_remainder=True)
