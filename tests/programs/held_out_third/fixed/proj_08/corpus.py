"""Synthetic tagging corpus: the tag depends on a token and its left neighbour."""
import numpy as np
import tensorflow as tf

PAD = 0


def sentences(cfg, n, seed):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, cfg["vocab"], size=(n, cfg["max_len"]))
    left = np.roll(tokens, 1, axis=1)
    left[:, 0] = 0
    tags = (tokens + left) % cfg["tags"]
    lengths = rng.integers(4, cfg["max_len"] + 1, size=n)
    pad = np.arange(cfg["max_len"])[None] >= lengths[:, None]
    tokens[pad] = PAD
    tags[pad] = 0
    return tokens.astype(np.int32), tags.astype(np.int32), lengths.astype(np.int32)


def batches(cfg, n, seed, shuffle):
    ds = tf.data.Dataset.from_tensor_slices(sentences(cfg, n, seed))
    if shuffle:
        ds = ds.shuffle(n, seed=seed)
    return ds.batch(cfg["batch"], drop_remainder=True)
