import numpy as np


def triplet_batches(n, batch, dim=6, classes=4, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(classes, dim))
    for _ in range(n):
        a = rng.integers(0, classes, batch)
        b = (a + rng.integers(1, classes, batch)) % classes
        draw = lambda k: (centres[k] + 0.3 * rng.normal(size=(batch, dim))).astype("float32")
        yield draw(a), draw(a), draw(b)
