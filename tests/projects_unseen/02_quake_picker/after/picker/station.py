import numpy as np


class Station:
    """A three-component seismometer with one arrival per record."""

    def __init__(self, samples, noise, seed):
        self.samples = samples
        self.noise = noise
        self.rng = np.random.default_rng(seed)

    def records(self, count):
        onset = self.rng.integers(20, self.samples - 20, count)
        t = np.arange(self.samples)[None, :, None]
        after = (t >= onset[:, None, None]).astype("float32")
        wave = np.sin(0.6 * (t - onset[:, None, None])) * np.exp(-0.03 * np.abs(t - onset[:, None, None]))
        x = after * wave + self.noise * self.rng.normal(size=(count, self.samples, 3))
        return x.astype("float32"), (onset / self.samples).astype("float32")[:, None]
