"""Inference front end for variable-length events.

Requests have any number of hits; they are padded up to the next bucket so the
graph is built once per bucket only.  TRACED counts how often that happened.
"""
import bisect
import collections
import time

import numpy as np
import tensorflow as tf

BUCKETS = (8, 16, 32, 64)
TRACED = collections.Counter()


class HitEncoder(tf.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.phi = tf.keras.Sequential([tf.keras.Input((None, 4)), tf.keras.layers.Dense(dim, activation="relu")])
        self.rho = tf.keras.Sequential([tf.keras.Input((dim,)), tf.keras.layers.Dense(3)])

    @tf.function
    def classify(self, hits, n_real):
        TRACED[hits.shape[1]] += 1               # runs when a bucket is traced, on purpose
        print("building graph for bucket", hits.shape[1])
        mask = tf.sequence_mask(n_real, maxlen=hits.shape[1], dtype=tf.float32)[..., None]
        pooled = tf.reduce_sum(self.phi(hits) * mask, axis=1) / tf.reduce_sum(mask, axis=1)
        return tf.nn.softmax(self.rho(pooled))


def pad_to_bucket(hits):
    n = min(len(hits), BUCKETS[-1])
    size = BUCKETS[bisect.bisect_left(BUCKETS, n)]
    out = np.zeros((1, size, 4), np.float32)
    out[0, :n] = hits[:n]
    return tf.constant(out), tf.constant([n], tf.int32)


def events(n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        yield rng.normal(size=(int(rng.integers(1, 80)), 4)).astype(np.float32)


def main():
    tf.keras.utils.set_random_seed(5)
    encoder = HitEncoder()
    for size in BUCKETS:                          # warm up before taking traffic
        encoder.classify(*pad_to_bucket(np.zeros((size, 4), np.float32)))
    votes, latencies = collections.Counter(), []
    for hits in events(120):
        start = time.perf_counter()
        prob = encoder.classify(*pad_to_bucket(hits)).numpy()[0]
        latencies.append(time.perf_counter() - start)
        votes[int(prob.argmax())] += 1
    print("votes", dict(votes), "graphs", dict(TRACED))
    print(f"p95 {1e3 * np.percentile(latencies, 95):.2f} ms")


if __name__ == "__main__":
    main()
