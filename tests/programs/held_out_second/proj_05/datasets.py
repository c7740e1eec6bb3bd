import numpy as np
import tensorflow as tf


def noisy(n=64, features=4, flip=0.2, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, features)).astype("float32")
    y = (x.sum(1, keepdims=True) > 0).astype("float32")
    y = np.where(rng.uniform(size=y.shape) < flip, 1 - y, y)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
