import numpy as np


class Customers:
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        centres = rng.uniform(-1, 1, size=(5, 2))
        self.places = centres[rng.integers(0, 5, count)] + 0.1 * rng.normal(size=(count, 2))
        self.demand = rng.uniform(0.5, 2.0, count)

    def arrays(self):
        return self.places.astype("float32"), self.demand.astype("float32")
