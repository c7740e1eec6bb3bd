"""ViT-style classifier for 16x16 spectrogram patches (course project)."""
import math
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class PatchTokens(layers.Layer):
    """Cut the image into patches, embed them, prepend a learned class token."""

    def __init__(self, patch=4, dim=24, **kwargs):
        super().__init__(**kwargs)
        self.patch, self.dim = patch, dim
        self.embed = layers.Dense(dim)

    def build(self, input_shape):
        n = (input_shape[1] // self.patch) * (input_shape[2] // self.patch)
        self.cls = self.add_weight(shape=(1, 1, self.dim), initializer="zeros", name="cls")
        self.pos = self.add_weight(shape=(1, n + 1, self.dim), initializer="random_normal", name="pos")
        self.embed.build((None, n, self.patch * self.patch * input_shape[-1]))

    def call(self, images):
        b, h, w, c = images.shape
        p = self.patch
        x = tf.reshape(images, (-1, h // p, p, w // p, p, c))
        x = tf.transpose(x, (0, 1, 3, 2, 4, 5))
        x = tf.reshape(x, (-1, (h // p) * (w // p), p * p * c))
        cls = tf.tile(self.cls, (b, 1, 1))
        return tf.concat([cls, self.embed(x)], axis=1) + self.pos


class Block(layers.Layer):
    def __init__(self, dim, heads, **kwargs):
        super().__init__(**kwargs)
        self.n1, self.n2 = layers.LayerNormalization(), layers.LayerNormalization()
        self.att = layers.MultiHeadAttention(heads, dim // heads)
        self.mlp = keras.Sequential([layers.Dense(2 * dim, activation="gelu"), layers.Dense(dim)])

    def call(self, x):
        h = self.n1(x)
        x = x + self.att(h, h)
        return x + self.mlp(self.n2(x))


class ViT(keras.Model):
    def __init__(self, n_classes, dim=24, depth=1, heads=2):
        super().__init__()
        self.tokens = PatchTokens(dim=dim)
        self.blocks = [Block(dim, heads) for _ in range(depth)]
        self.norm = layers.LayerNormalization()
        self.head = layers.Dense(n_classes)

    def call(self, x):
        x = self.tokens(x)
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x)[:, 0])


def spectrograms(n=200, size=16, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=n)
    t = np.arange(size)
    x = rng.normal(scale=0.4, size=(n, size, size, 1))
    for i, k in enumerate(y):
        x[i, :, :, 0] += np.sin(2 * math.pi * (k + 1) * t / size)[:, None]
    return x.astype("float32"), y


if __name__ == "__main__":
    keras.utils.set_random_seed(2)
    x, y = spectrograms()
    model = ViT(3)
    # smoke test before training
    print("logits", model(x[:8]).shape)
    model.compile(
        optimizer=keras.optimizers.AdamW(2e-3, weight_decay=1e-4),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    hist = model.fit(x, y, batch_size=32, epochs=3, verbose=0)
    print([round(v, 3) for v in hist.history["accuracy"]])
