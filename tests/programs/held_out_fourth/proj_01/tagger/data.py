import numpy as np


class Corpus:
    """Sentences of random length; the tag of a token depends on its id."""

    def __init__(self, cfg):
        self.cfg = cfg
        rng = np.random.default_rng(cfg.seed)
        lengths = rng.integers(4, cfg.max_len + 1, cfg.sentences)
        self.sentences = [rng.integers(1, cfg.vocab, n) for n in lengths]

    def _collate(self, chunk):
        width = max(len(s) for s in chunk)
        tokens = np.zeros((len(chunk), width), "int32")
        for row, sentence in zip(tokens, chunk):
            row[:len(sentence)] = sentence
        return tokens, tokens % self.cfg.tags, (tokens > 0).astype("float32")

    def __iter__(self):
        step = self.cfg.batch
        for i in range(0, len(self.sentences), step):
            yield self._collate(self.sentences[i:i + step])
