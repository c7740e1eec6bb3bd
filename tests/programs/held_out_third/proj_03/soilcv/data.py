"""Near-infrared soil spectra and their organic-carbon content."""
import numpy as np
import tensorflow as tf


def spectra(cfg):
    rng = np.random.default_rng(cfg.seed)
    carbon = rng.gamma(2.0, 1.0, cfg.n_samples)
    wave = np.linspace(0, 1, cfg.bands)
    dip = np.exp(-(((wave - 0.6) / 0.1) ** 2))
    x = 1.0 - carbon[:, None] * 0.1 * dip + rng.normal(0, 0.02, (cfg.n_samples, cfg.bands))
    return x.astype("float32"), carbon.astype("float32")[:, None]


def fold_indices(cfg):
    order = np.random.default_rng(cfg.seed).permutation(cfg.n_samples)
    parts = np.array_split(order, cfg.folds)
    for k in range(cfg.folds):
        train = np.concatenate([p for j, p in enumerate(parts) if j != k])
        yield train, parts[k]


def batched(cfg, x, y):
    ds = tf.data.Dataset.from_tensor_slices((x, y))
    return ds.shuffle(len(x), seed=cfg.seed).batch(cfg.batch, drop_remainder=True)
