import numpy as np
import tensorflow as tf


def views(cfg, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(cfg.size, cfg.dim))
    a = base + rng.normal(size=base.shape) * 0.1
    b = base + rng.normal(size=base.shape) * 0.1
    pairs = a.astype("float32"), b.astype("float32")
    return tf.data.Dataset.from_tensor_slices(pairs).shuffle(cfg.size, seed=1).batch(cfg.batch, drop_remainder=True)
