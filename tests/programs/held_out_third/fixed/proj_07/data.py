import numpy as np
import tensorflow as tf


def ring(batch, modes=8, radius=1.5, std=0.05, seed=0):
    """Endless batches from a ring of Gaussians."""
    rng = np.random.default_rng(seed)
    while True:
        k = rng.integers(0, modes, size=batch)
        angle = 2 * np.pi * k / modes
        centers = radius * np.stack([np.cos(angle), np.sin(angle)], -1)
        points = centers + std * rng.normal(size=centers.shape)
        yield tf.constant(points, tf.float32)
