import numpy as np


class TrackStore:
    """AIS tracks: positions and speeds, as long as the journey was."""

    def __init__(self, count, shortest, seed):
        self.count = count
        self.shortest = shortest
        self.rng = np.random.default_rng(seed)

    def _journey(self, length):
        course = np.cumsum(self.rng.normal(0, 0.1, length))
        speed = 1 + 0.1 * self.rng.normal(size=length)
        step = np.stack([speed * np.cos(course), speed * np.sin(course)], axis=-1)
        return np.concatenate([step, course[:, None]], axis=-1).astype("float32")

    def stream(self):
        for _ in range(self.count):
            length = self.shortest + int(self.rng.integers(0, 400))
            yield self._journey(length)
