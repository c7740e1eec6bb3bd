import numpy as np

NAMES = ("white", "black", "ochre", "red", "blue")

REFLECTANCE = np.array(
    [[0.95, 0.95, 0.93], [0.04, 0.04, 0.05], [0.75, 0.55, 0.2], [0.7, 0.12, 0.1], [0.1, 0.2, 0.6]],
    dtype="float32",
)


def absorption(reflectance):
    """Kubelka-Munk ratio of absorption and scattering."""
    return (1 - reflectance) ** 2 / (2 * reflectance)
