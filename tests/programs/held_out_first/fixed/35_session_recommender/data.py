import numpy as np
import tensorflow as tf

import config


def sessions(n=192, seed=35):
    rng = np.random.default_rng(seed)
    start = rng.integers(1, config.ITEMS - config.SESSION - 1, size=(n, 1))
    items = start + np.arange(config.SESSION)[None]
    lengths = rng.integers(1, config.SESSION + 1, size=(n, 1))
    items = np.where(np.arange(config.SESSION)[None] < lengths, items, 0)
    target = (start + lengths)[:, 0]
    return tf.data.Dataset.from_tensor_slices((items.astype("int32"), target.astype("int32"))).batch(config.BATCH)
