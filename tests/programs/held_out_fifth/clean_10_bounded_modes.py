"""Python arguments with a handful of values select code paths: the traces are bounded on purpose."""
import functools

import numpy as np
import tensorflow as tf

BUCKETS = (8, 16, 32)


def bucket_for(n):
    return next(b for b in BUCKETS if n <= b)


def pad_to_bucket(seq):
    size = bucket_for(len(seq))
    return np.pad(seq, (0, size - len(seq))), len(seq)


w = tf.Variable(tf.random.stateless_normal([64, 8], [1, 1]))


@tf.function
def encode(ids, length, pooling="mean", training=False):
    e = tf.nn.embedding_lookup(w, ids)
    if training:
        e = tf.nn.dropout(e, 0.1)
    mask = tf.cast(tf.range(tf.shape(ids)[0]) < length, tf.float32)[:, None]
    if pooling == "mean":
        return tf.reduce_sum(e * mask, axis=0) / tf.cast(length, tf.float32)
    elif pooling == "max":
        return tf.reduce_max(e * mask - (1.0 - mask) * 1e9, axis=0)
    raise ValueError(f"unknown pooling {pooling!r}")


@functools.lru_cache(maxsize=None)
def power_fn(order):
    @tf.function
    def power(x):
        out = tf.ones_like(x)
        for _ in range(order):
            out = out * x
        return out

    return power


def main():
    rng = np.random.default_rng(0)
    for i in range(20):
        ids, n = pad_to_bucket(rng.integers(0, 64, size=int(rng.integers(2, 33))))
        v = encode(tf.constant(ids, tf.int32), tf.constant(n), pooling=("mean", "max")[i % 2])
        v = power_fn(2 + i % 2)(v)
    encode(tf.constant(ids, tf.int32), tf.constant(n), training=True)
    print("last", np.round(v.numpy()[:3], 3), "functions", power_fn.cache_info().currsize)


if __name__ == "__main__":
    main()
