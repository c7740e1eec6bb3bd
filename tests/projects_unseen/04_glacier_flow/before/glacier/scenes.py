import numpy as np


def image_pairs(side, seed, count=6, drift=0.15):
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(count, side, side)).astype("float32")
    base = (base + np.roll(base, 1, axis=1) + np.roll(base, 1, axis=2)) / 3
    moved = (1 - drift) * base + drift * np.roll(base, 1, axis=2)
    return base, moved.astype("float32")
