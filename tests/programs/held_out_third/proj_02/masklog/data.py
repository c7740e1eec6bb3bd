import numpy as np
import tensorflow as tf

from . import settings as S


def event_sequences(n, seed):
    """Server log lines as event ids; each session is an arithmetic walk over the vocabulary."""
    rng = np.random.default_rng(seed)
    start = rng.integers(1, S.VOCAB, (n, 1))
    stride = rng.choice([1, 2, 3], (n, 1))
    ids = (start + stride * np.arange(S.LENGTH)) % (S.VOCAB - 1) + 1
    return ids.astype("int32")


def dataset(n=512, seed=0):
    ds = tf.data.Dataset.from_tensor_slices(event_sequences(n, seed))
    return ds.shuffle(n, seed=seed).batch(S.BATCH, drop_remainder=True)
