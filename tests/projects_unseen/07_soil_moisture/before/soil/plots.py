import numpy as np


def load_plots(count, bands=5, depths=3, seed=9):
    rng = np.random.default_rng(seed)
    radar = rng.normal(size=(count, bands)).astype("float32")
    mix = rng.normal(size=(bands, depths))
    moisture = 1 / (1 + np.exp(-radar @ mix))
    return radar, moisture.astype("float32")
