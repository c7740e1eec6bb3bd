import numpy as np
import tensorflow as tf


class Firings:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def batch(self, count):
        curve = self.rng.normal(size=(count, 10)).astype("float32")
        shrink = 3 * curve[:, 2] - curve[:, 7] + 0.1 * self.rng.standard_t(2, count)
        return tf.constant(curve), tf.constant(shrink[:, None].astype("float32"))
