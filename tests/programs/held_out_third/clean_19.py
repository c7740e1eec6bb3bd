"""Greedy decoding with a growing key/value cache, all in one graph."""
import math
from typing import NamedTuple

import numpy as np
import tensorflow as tf

BOS, EOS = 1, 2


class Cache(NamedTuple):
    keys: tf.Tensor
    values: tf.Tensor


class TinyDecoder(tf.Module):
    def __init__(self, vocab=32, dim=16, seed=0):
        super().__init__()
        g = tf.random.Generator.from_seed(seed)
        self.vocab, self.dim = vocab, dim
        self.emb = tf.Variable(g.normal((vocab, dim), stddev=0.7))
        self.wq, self.wk, self.wv, self.wo = (
            tf.Variable(g.normal((dim, dim), stddev=0.5)) for _ in range(4))

    def empty_cache(self, batch):
        zero = tf.zeros((batch, 0, self.dim))
        return Cache(zero, zero)

    def step(self, token, cache):
        x = tf.gather(self.emb, token)[:, None, :]
        keys = tf.concat([cache.keys, x @ self.wk], axis=1)
        values = tf.concat([cache.values, x @ self.wv], axis=1)
        att = tf.nn.softmax(tf.matmul(x @ self.wq, keys, transpose_b=True) / math.sqrt(self.dim))
        h = x + tf.matmul(att, values) @ self.wo
        return tf.matmul(h[:, 0], self.emb, transpose_b=True), Cache(keys, values)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])
    def decode(self, first, max_len):
        batch = tf.shape(first)[0]
        cache = self.empty_cache(batch)
        keys, values = cache.keys, cache.values
        out = tf.TensorArray(tf.int32, size=0, dynamic_size=True, clear_after_read=False)
        token, done = first, tf.zeros([batch], tf.bool)
        for t in tf.range(max_len):
            tf.autograph.experimental.set_loop_options(shape_invariants=[
                (keys, tf.TensorShape([None, None, self.dim])),
                (values, tf.TensorShape([None, None, self.dim])),
            ])
            logits, cache = self.step(token, Cache(keys, values))
            keys, values = cache.keys, cache.values
            token = tf.where(done, EOS, tf.argmax(logits, -1, output_type=tf.int32))
            done = done | (token == EOS)
            out = out.write(t, token)
            if tf.reduce_all(done):
                break
        return tf.transpose(out.stack())


def plain_python(decoder, first, max_len):
    """Reference implementation, eager, for comparison."""
    cache, token, rows = decoder.empty_cache(len(first)), tf.constant(first), []
    done = np.zeros(len(first), bool)
    for _ in range(max_len):
        logits, cache = decoder.step(token, cache)
        nxt = np.where(done, EOS, logits.numpy().argmax(-1)).astype(np.int32)
        done |= nxt == EOS
        rows.append(nxt)
        token = tf.constant(nxt)
        if done.all():
            break
    return np.stack(rows, 1)


if __name__ == "__main__":
    decoder = TinyDecoder()
    for n, length in ((2, 6), (5, 10), (3, 14)):
        start = np.arange(3, 3 + n).astype(np.int32)
        fast = decoder.decode(tf.constant(start), tf.constant(length)).numpy()
        slow = plain_python(decoder, start, length)
        print(fast.shape, "same as eager:", bool((fast == slow).all()))
