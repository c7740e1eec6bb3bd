import numpy as np


class ClipBank:
    def __init__(self, clips, bins, seed):
        rng = np.random.default_rng(seed)
        self.bins = bins
        self.labels = rng.integers(0, 2, clips).astype("float32")[:, None]
        hum = np.exp(-0.5 * ((np.arange(bins) - 8) / 2.0) ** 2)
        self.spectra = (self.labels * hum + 0.3 * rng.random((clips, bins))).astype("float32")

    def batches(self, size):
        for start in range(0, len(self.labels), size):
            yield self.spectra[start : start + size], self.labels[start : start + size]
