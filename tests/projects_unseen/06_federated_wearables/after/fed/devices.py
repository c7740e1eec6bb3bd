import numpy as np


class Device:
    """The readings of one person; they never leave it."""

    def __init__(self, rng, truth, samples=32):
        offset = rng.normal(scale=0.2)
        self.x = rng.normal(size=(samples, len(truth))).astype("float32")
        self.y = (self.x @ truth + offset)[:, None].astype("float32")

    @property
    def features(self):
        return self.x.shape[1]


def make_fleet(count, features=6, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=features)
    return [Device(rng, truth) for _ in range(count)]
