import numpy as np
import tensorflow as tf


def friedman(n=96, seed=0):
    x = np.random.default_rng(seed).uniform(size=(n, 5)).astype("float32")
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return tf.data.Dataset.from_tensor_slices((x, y[:, None].astype("float32"))).batch(32)
