"""Tiny causal transformer that learns to reverse short sequences of symbols."""
import math

import keras
import numpy as np
import tensorflow as tf
from keras import layers as L


class CausalAttention(L.Layer):
    def __init__(self, heads, **kw):
        super().__init__(**kw)
        self.heads = heads

    def build(self, shape):
        width = int(shape[-1])
        if width % self.heads != 0:
            raise ValueError(f"{width} channels cannot be split in {self.heads} heads")
        self.depth = width // self.heads
        self.qkv = L.Dense(3 * width)
        self.out = L.Dense(width)

    def call(self, x, mask=None, training=False):
        steps = x.shape[1]
        assert steps is not None, "needs a static length"
        q, k, v = tf.split(self.qkv(x), 3, axis=-1)
        pieces = []
        for h in range(self.heads):
            part = slice(h * self.depth, (h + 1) * self.depth)
            score = tf.matmul(q[..., part], k[..., part], transpose_b=True) / math.sqrt(self.depth)
            causal = tf.linalg.band_part(tf.ones((steps, steps)), -1, 0)
            score += (1.0 - causal) * -1e9
            if mask is not None:
                score += (1.0 - tf.cast(mask[:, None, :], tf.float32)) * -1e9
            pieces.append(tf.matmul(tf.nn.softmax(score), v[..., part]))
        return self.out(tf.concat(pieces, axis=-1))


class Block(L.Layer):
    def __init__(self, heads, expand=2, rate=0.05, **kw):
        super().__init__(**kw)
        self.heads, self.expand, self.rate = heads, expand, rate

    def build(self, shape):
        width = shape[-1]
        self.attn = CausalAttention(self.heads)
        self.norms = [L.LayerNormalization() for _ in range(2)]
        self.ff = [L.Dense(self.expand * width, activation="gelu"), L.Dense(width)]
        self.drop = L.Dropout(self.rate)

    def call(self, x, training=False):
        x = x + self.drop(self.attn(self.norms[0](x)), training=training)
        h = self.norms[1](x)
        for layer in self.ff:
            h = layer(h)
        if training:
            h = self.drop(h, training=training)
        return x + h


def position_table(length, width):
    pos = np.arange(length)[:, None] / np.power(100.0, np.arange(width)[None] / width)
    return np.where(np.arange(width) % 2 == 0, np.sin(pos), np.cos(pos)).astype("float32")


def build(symbols, length, width=32, blocks=2, heads=4):
    ids = keras.Input((length,), dtype="int32")
    x = L.Embedding(symbols + 1, width)(ids) + position_table(length, width)
    for i in range(blocks):
        x = Block(heads, name=f"block{i}")(x)
    return keras.Model(ids, L.Dense(symbols)(x))


def reversal_task(n, symbols=6, k=5, seed=0):
    rng = np.random.default_rng(seed)
    seq = rng.integers(0, symbols, (n, k))
    rev = seq[:, ::-1]
    sep = np.full((n, 1), symbols)
    x = np.concatenate([seq, sep, rev[:, :-1]], axis=1).astype("int32")
    y = np.concatenate([np.zeros((n, k)), rev], axis=1).astype("int32")
    weight = np.concatenate([np.zeros((n, k)), np.ones((n, k))], axis=1).astype("float32")
    return x, y, weight


def main():
    keras.utils.set_random_seed(2)
    x, y, w = reversal_task(512)
    model = build(6, x.shape[1])
    model.compile(keras.optimizers.Adam(3e-3),
                  keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    hist = model.fit(x, y, sample_weight=w, batch_size=64, epochs=6, verbose=0)
    print("loss", [round(v, 3) for v in hist.history["loss"]])
    xt, yt, wt = reversal_task(64, seed=1)
    hit = (np.argmax(model.predict(xt, batch_size=64, verbose=0), -1) == yt) * wt
    print(f"symbol accuracy {hit.sum() / wt.sum():.3f}")


if __name__ == "__main__":
    main()
