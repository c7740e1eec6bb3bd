import collections

import numpy as np


class Replay:
    def __init__(self, size=200, seed=0):
        self.items = collections.deque(maxlen=size)
        self.rng = np.random.default_rng(seed)

    def add(self, *item):
        self.items.append(item)

    def batches(self, n):
        while True:
            pick = self.rng.integers(0, len(self.items), n)
            yield tuple(np.stack(c).astype("float32") for c in zip(*(self.items[i] for i in pick)))
