import numpy as np


def load_gauges(count, hours, seed=0):
    """Synthetic water levels, one row per gauge."""
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    rows = []
    for _ in range(count):
        level = 1.2 * np.cos(2 * np.pi * t / 12.42 + rng.uniform(0, 6))
        level += 0.4 * np.cos(2 * np.pi * t / 23.93 + rng.uniform(0, 6))
        rows.append(level + 0.1 * rng.normal(size=hours))
    return np.stack(rows).astype("float32")


def windows(levels, width, rng):
    """A random window of all gauges, with its hours."""
    start = int(rng.integers(0, levels.shape[1] - width))
    hours = np.arange(start, start + width, dtype="float32")
    return hours, levels[:, start : start + width]
