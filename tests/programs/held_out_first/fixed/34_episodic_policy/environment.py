import numpy as np


class Balance:
    """Keep the drift of a point small; the episode ends when it leaves the corridor."""

    def __init__(self, rng, size):
        self.rng = rng
        self.size = size

    def reset(self):
        self.state = self.rng.normal(scale=0.1, size=self.size)
        return self.state.astype("float32")

    def step(self, action):
        push = 0.3 if action else -0.3
        self.state = self.state + push + self.rng.normal(scale=0.3, size=self.size)
        done = bool(np.abs(self.state).max() > 1.5)
        return self.state.astype("float32"), 1.0, done
