import numpy as np


class NegativeSampler:
    """Endless stream of negative ids drawn from a smoothed unigram table."""

    def __init__(self, vocab_size, per_batch, seed=0):
        self.vocab_size = vocab_size
        self.per_batch = per_batch
        self._rng = np.random.default_rng(seed)
        self._stream = self._draws()

    def _draws(self):
        while True:
            yield self._rng.integers(0, self.vocab_size, size=self.per_batch).astype("int32")

    def take(self):
        return next(self._stream)
