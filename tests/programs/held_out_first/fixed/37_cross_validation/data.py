import numpy as np
import tensorflow as tf


def table(n=120, seed=37):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype("float32")
    y = (x[:, 0] - x[:, 1] * x[:, 2] > 0).astype("float32")[:, None]
    return x, y


def folds(k):
    x, y = table()
    parts = np.array_split(np.arange(len(x)), k)
    for i, held_out in enumerate(parts):
        rest = np.concatenate([p for j, p in enumerate(parts) if j != i])
        yield (x[rest], y[rest]), (x[held_out], y[held_out])


def batches(x, y, size):
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(200, seed=1).batch(size, drop_remainder=True)
