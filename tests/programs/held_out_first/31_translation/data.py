import numpy as np
import tensorflow as tf

from config import cfg


def pairs(n, seed=0):
    """The target is the source, reversed and shifted by one."""
    rng = np.random.default_rng(seed)
    source = rng.integers(1, cfg.vocab - 1, size=(n, cfg.length)).astype("int32")
    return source, source[:, ::-1] + 1


def train_set():
    source, target = pairs(cfg.batch * cfg.steps)
    return tf.data.Dataset.from_tensor_slices((source, target)).batch(cfg.batch, drop_remainder=True)
