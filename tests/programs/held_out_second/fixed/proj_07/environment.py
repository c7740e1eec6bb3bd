import numpy as np


def transitions(n, seed=1):
    rng = np.random.default_rng(seed)
    s = rng.normal(size=3)
    for _ in range(n):
        a = rng.normal(size=1)
        nxt = 0.9 * s + 0.1 * a + 0.05 * np.roll(s, 1)
        yield s, a, nxt
        s = nxt if abs(nxt).max() < 3 else rng.normal(size=3)
