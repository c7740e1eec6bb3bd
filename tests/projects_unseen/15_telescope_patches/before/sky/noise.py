import numpy as np
from keras import ops


class SkyLevel:
    """A sky background of another level for every patch."""

    def __init__(self, level):
        self.level = level

    def add(self, patch):
        offset = self.level * np.random.rand()
        return patch + ops.cast(offset, patch.dtype)
