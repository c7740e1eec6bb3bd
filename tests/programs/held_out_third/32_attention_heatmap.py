"""Text-like classifier with additive attention, plus attention heatmaps.

Adapted from my PyTorch code, where I simply kept the last attention weights
on the module to plot them afterwards.
"""
import sys

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class AdditiveAttention(layers.Layer):
    """score_t = v^T tanh(W h_t), context = sum softmax(score)_t h_t"""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.proj = layers.Dense(units, activation="tanh")
        self.v = layers.Dense(1, use_bias=False)
        self.last_weights = None

    def call(self, h, token_mask=None):
        scores = tf.squeeze(self.v(self.proj(h)), -1)
        if token_mask is not None:
            scores += (1.0 - tf.cast(token_mask, scores.dtype)) * -1e9
        weights = tf.nn.softmax(scores, axis=-1)
        self.last_weights = weights
        return tf.einsum("bt,bth->bh", weights, h)


class Classifier(keras.Model):
    def __init__(self, vocab=60, dim=16, n_classes=2):
        super().__init__()
        self.emb = layers.Embedding(vocab, dim)
        self.rnn = layers.GRU(dim, return_sequences=True)
        self.attn = AdditiveAttention(dim)
        self.head = layers.Dense(n_classes)

    def call(self, tokens):
        h = self.rnn(self.emb(tokens))
        return self.head(self.attn(h, token_mask=tokens > 0))


def dataset(n=256, t=12, seed=0):
    """Class 1 iff the trigger token 7 appears."""
    rng = np.random.default_rng(seed)
    x = rng.integers(8, 60, size=(n, t))
    y = rng.integers(0, 2, size=n)
    where = rng.integers(0, t, size=n)
    x[y == 1, where[y == 1]] = 7
    lengths = rng.integers(t // 2, t + 1, size=n)
    for row, length in enumerate(lengths):
        if y[row] == 0 or where[row] < length:
            x[row, length:] = 0
    return x.astype("int32"), y.astype("int32")


def ascii_heatmap(tokens, weights, out=sys.stdout):
    shades = " .:-=+*#%@"
    for row, w in zip(tokens, weights):
        cells = [f"{tok:2d}{shades[min(9, int(10 * p))]}" for tok, p in zip(row, w)]
        out.write(" ".join(cells) + "\n")


def show_attention(model, tokens):
    """Heatmap of the attention on a few sentences."""
    model.predict(tokens, verbose=0)
    weights = model.attn.last_weights.numpy()
    ascii_heatmap(tokens, weights)


def main():
    keras.utils.set_random_seed(0)
    x, y = dataset()
    model = Classifier()
    model.compile(
        optimizer=keras.optimizers.Adam(1e-2),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    hist = model.fit(x, y, epochs=3, batch_size=32, verbose=0)
    print("train acc", [round(a, 3) for a in hist.history["accuracy"]])
    show_attention(model, x[:4])


if __name__ == "__main__":
    main()
