import numpy as np
import tensorflow as tf

import settings


def load(n=128, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6)).astype("float32")
    y = (x[:, 0] + x[:, 1] > 0).astype("int32") + (x[:, 2] > 0.5).astype("int32")
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(settings.BATCH)
