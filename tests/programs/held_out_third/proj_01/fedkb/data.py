"""Synthetic typing logs: every phone favours a few words."""
import numpy as np
import tensorflow as tf

WORDS = "the quick brown fox jumps over a lazy dog while seven wizards brew black coffee".split()


def phone_names(cfg):
    return [f"phone-{i:03d}" for i in range(cfg.n_clients)]


def typing_log(cfg, name, length=400):
    rng = np.random.default_rng(sum(map(ord, name)))
    favourite = rng.dirichlet(np.full(len(WORDS), 0.3))
    text = " ".join(rng.choice(WORDS, size=length // 3, p=favourite))[:length]
    return np.array([cfg.alphabet.index(c) for c in text], "int32")


def batches(cfg, name):
    ids = typing_log(cfg, name)
    windows = np.lib.stride_tricks.sliding_window_view(ids, cfg.context + 1)
    ds = tf.data.Dataset.from_tensor_slices((windows[:, :-1], windows[:, -1]))
    return ds.shuffle(512, seed=0).batch(cfg.batch, drop_remainder=True).take(4)
