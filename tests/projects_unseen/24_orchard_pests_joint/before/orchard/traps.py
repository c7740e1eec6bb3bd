import numpy as np


def trap_counts(days, seed=4):
    """Weather of the last days, and the moths in the trap."""
    rng = np.random.default_rng(seed)
    weather = rng.normal(size=(days, 7)).astype("float32")
    rate = np.exp(0.4 * weather[:, 0] - 0.2 * weather[:, 3])
    return weather, rng.poisson(rate).astype("float32")[:, None]
