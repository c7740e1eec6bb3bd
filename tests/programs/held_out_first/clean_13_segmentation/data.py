import numpy as np
import tensorflow as tf

from augment import random_flip, random_gain


def discs(cfg, seed=13):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:cfg.size, :cfg.size]
    centre = rng.uniform(4, cfg.size - 4, size=(cfg.examples, 2))
    distance = np.hypot(yy[None] - centre[:, 0, None, None], xx[None] - centre[:, 1, None, None])
    mask = (distance < 4).astype("float32")[..., None]
    image = mask + rng.normal(scale=0.3, size=mask.shape)
    return image.astype("float32"), mask


def train_set(cfg):
    ds = tf.data.Dataset.from_tensor_slices(discs(cfg)).shuffle(cfg.examples, seed=1)
    ds = ds.map(random_flip, num_parallel_calls=2).map(random_gain, num_parallel_calls=2)
    return ds.batch(cfg.batch, drop_remainder=True).prefetch(1)
