import numpy as np
import tensorflow as tf


class FrameSource:
    """Cloud cover that drifts one pixel between frames."""

    def __init__(self, side, seed):
        self.side = side
        self.rng = np.random.default_rng(seed)

    def pair(self, count):
        now = self.rng.random((count, self.side, self.side)).astype("float32")
        later = np.roll(now, 1, axis=2)
        flat = (count, self.side * self.side)
        return tf.constant(now.reshape(flat)), tf.constant(later.reshape(flat))
