"""A dam: release 0, 1 or 2 units per day, keep the level near the middle."""
import numpy as np


class Dam:
    def __init__(self, cfg, rng):
        self.cfg, self.rng = cfg, rng
        self.level = cfg.levels // 2

    def observe(self):
        return np.eye(self.cfg.levels, dtype="float32")[self.level]

    def step(self, release):
        inflow = self.rng.integers(0, 3)
        self.level = int(np.clip(self.level + inflow - release, 0, self.cfg.levels - 1))
        reward = -abs(self.level - self.cfg.levels // 2) / 5.0
        return self.observe(), np.float32(reward)
