import numpy as np
import tensorflow as tf

from .augment import Compose, brightness, crop, flip

SIZE = 12


def raw(count, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, size=count)
    images = np.full((count, SIZE, SIZE, 1), 0.5, "float32")
    for image, label in zip(images, labels):
        if label:
            image[3:9, 5:7] = 0.8
        else:
            image[5:7, 3:9] = 0.8
    return images, labels.astype("int32")


def pipeline(count=64, batch=16):
    images, labels = raw(count)
    change = Compose(brightness, flip, crop)
    ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(count, seed=0)
    ds = ds.map(lambda x, y: (change(x), y), num_parallel_calls=2)
    return ds.batch(batch).prefetch(1)
