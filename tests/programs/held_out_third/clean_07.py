"""Phone recogniser with length buckets; one compiled step per bucket, compiled when first needed."""
from functools import lru_cache

import numpy as np
import tensorflow as tf

BUCKETS = (32, 64, 96)
FEATS, PHONES = 13, 5


def utterances(n, seed=0):
    rng = np.random.default_rng(seed)
    table = np.random.default_rng(42).normal(size=(PHONES, FEATS))
    for _ in range(n):
        length = int(rng.integers(10, BUCKETS[-1]))
        phones = np.repeat(rng.integers(0, PHONES, length // 5 + 1), 5)[:length]
        yield (table[phones] + rng.normal(0, 0.5, (length, FEATS))).astype("float32"), phones


def bucket_for(length):
    for size in BUCKETS:
        if length <= size:
            return size
    raise ValueError(f"utterance of {length} frames is too long")


def pad(item, size):
    feats, phones = item
    room = size - len(feats)
    return np.pad(feats, ((0, room), (0, 0))), np.pad(phones, (0, room), constant_values=-1)


class Recogniser:
    def __init__(self, width=24):
        self.net = tf.keras.Sequential([
            tf.keras.Input((None, FEATS)),
            tf.keras.layers.Conv1D(width, 5, padding="same", activation="relu"),
            tf.keras.layers.Dense(PHONES),
        ])
        self.opt = tf.keras.optimizers.Adam(1e-2)
        self.opt.build(self.net.trainable_variables)
        self._steps = {}

    def _loss(self, feats, phones):
        keep = tf.cast(phones >= 0, tf.float32)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=tf.maximum(phones, 0), logits=self.net(feats, training=True))
        return tf.reduce_sum(ce * keep) / tf.reduce_sum(keep)

    def _make_step(self, size, batch):
        spec = [tf.TensorSpec([batch, size, FEATS], tf.float32), tf.TensorSpec([batch, size], tf.int32)]

        @tf.function(input_signature=spec)
        def step(feats, phones):
            with tf.GradientTape() as tape:
                loss = self._loss(feats, phones)
            grads = tape.gradient(loss, self.net.trainable_variables)
            self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
            return loss

        return step

    def train(self, feats, phones):
        key = feats.shape[1]
        if key not in self._steps:
            self._steps[key] = self._make_step(key, feats.shape[0])
        return self._steps[key](feats, phones)


@lru_cache(maxsize=None)
def decoder(size):
    """Smoothing decoder for one bucket size."""

    @tf.function
    def decode(logits):
        smooth = tf.nn.avg_pool1d(logits, 5, 1, "SAME")
        return tf.argmax(tf.reshape(smooth, [-1, size, PHONES]), axis=-1, output_type=tf.int32)

    return decode


def main(batch=8):
    tf.keras.utils.set_random_seed(0)
    rec, shelves, losses = Recogniser(), {b: [] for b in BUCKETS}, []
    for item in utterances(320):
        size = bucket_for(len(item[0]))
        shelves[size].append(pad(item, size))
        if len(shelves[size]) == batch:
            feats, phones = map(np.stack, zip(*shelves[size]))
            shelves[size].clear()
            losses.append(float(rec.train(tf.constant(feats), tf.constant(phones, tf.int32))))
    print(f"{len(losses)} updates, loss {np.mean(losses[:5]):.3f} -> {np.mean(losses[-5:]):.3f}")
    hits = total = 0
    for item in utterances(24, seed=1):
        size = bucket_for(len(item[0]))
        feats, phones = pad(item, size)
        guess = decoder(size)(rec.net(feats[None]))[0].numpy()
        hits += np.sum((guess == phones) & (phones >= 0))
        total += np.sum(phones >= 0)
    print(f"frame accuracy {hits / total:.3f}")


if __name__ == "__main__":
    main()
