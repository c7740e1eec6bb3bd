import numpy as np


def brightness_levels(ds):
    """The brightest value in the middle of every image."""
    levels = []
    for images, _ in ds:
        levels.extend(images.numpy()[:, 4:8, 4:8].max(axis=(1, 2, 3)).round(4).tolist())
    return np.array(levels)
