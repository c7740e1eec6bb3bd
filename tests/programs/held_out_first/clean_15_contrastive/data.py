import numpy as np
import tensorflow as tf


def noisy_views(x):
    return tuple(x + tf.random.normal(tf.shape(x), stddev=0.1) for _ in range(2))


def dataset(settings, n=80, seed=15):
    x = np.random.default_rng(seed).normal(size=(n, settings["width"])).astype("float32")
    return tf.data.Dataset.from_tensor_slices(x).batch(settings["batch"], drop_remainder=True).map(noisy_views)
