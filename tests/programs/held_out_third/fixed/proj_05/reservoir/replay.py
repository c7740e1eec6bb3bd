import numpy as np


class Replay:
    """Ring buffer of transitions with uniform sampling."""

    def __init__(self, cfg, rng):
        self.rng = rng
        self.obs = np.zeros((cfg.capacity, cfg.levels), "float32")
        self.nxt = np.zeros_like(self.obs)
        self.act = np.zeros(cfg.capacity, "int32")
        self.rew = np.zeros(cfg.capacity, "float32")
        self.capacity, self.size, self.head = cfg.capacity, 0, 0

    def add(self, obs, act, rew, nxt):
        i = self.head
        self.obs[i], self.act[i], self.rew[i], self.nxt[i] = obs, act, rew, nxt
        self.head = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n):
        pick = self.rng.integers(0, self.size, n)
        return self.obs[pick], self.act[pick], self.rew[pick], self.nxt[pick]
