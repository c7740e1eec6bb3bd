import numpy as np


def sentences(args, rng, n=8):
    """Counting sequences of differing lengths, padded to a multiple of four."""
    length = int(rng.integers(3, 9))
    padded = -(-length // 4) * 4
    start = rng.integers(1, args.vocab, size=(n, 1))
    ids = (start + np.arange(padded)[None]) % args.vocab
    return np.where(np.arange(padded)[None] < length, ids, 0).astype("int32")
