"""Text classifier with a layer that skips its expensive path on easy batches."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

VOCAB, LENGTH = 40, 12


def mask_ratio(mask):
    return tf.reduce_mean(tf.cast(mask, tf.float32))


class AdaptivePooling(keras.layers.Layer):
    def __init__(self, units, limit=0.6, **kwargs):
        super().__init__(**kwargs)
        self.limit = limit
        self.score = keras.layers.Dense(1)
        self.project = keras.layers.Dense(units, activation="relu")

    def _weighted(self, x, mask):
        logits = self.score(x)[..., 0] - 1e9 * (1.0 - tf.cast(mask, tf.float32))
        return tf.einsum("bt,btd->bd", tf.nn.softmax(logits), x)

    def _plain(self, x, mask):
        m = tf.cast(mask, tf.float32)[..., None]
        return tf.reduce_sum(x * m, 1) / tf.maximum(tf.reduce_sum(m, 1), 1.0)

    def _pool(self, x, mask):
        full = mask_ratio(mask)
        if full > self.limit:
            return self._weighted(x, mask)
        return self._plain(x, mask)

    def call(self, x, mask=None):
        if mask is None:
            mask = tf.ones(tf.shape(x)[:2], tf.bool)
        return self.project(self._pool(x, mask))


def build():
    ids = keras.Input((LENGTH,), dtype="int32")
    x = keras.layers.Embedding(VOCAB, 16)(ids)
    pooled = AdaptivePooling(16)(x, mask=keras.ops.not_equal(ids, 0))
    out = keras.layers.Dense(1, activation="sigmoid")(pooled)
    model = keras.Model(ids, out)
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
    return model


def corpus(n=200, seed=0):
    rng = np.random.default_rng(seed)
    ids = rng.integers(1, VOCAB, size=(n, LENGTH))
    for row in ids:
        row[rng.integers(4, LENGTH):] = 0
    labels = (ids % 7 == 0).any(axis=1).astype("float32")
    return ids.astype("int32"), labels


if __name__ == "__main__":
    keras.utils.set_random_seed(1)
    x, y = corpus()
    model = build()
    history = model.fit(x, y, epochs=3, batch_size=32, verbose=0)
    print("accuracy", ["%.3f" % a for a in history.history["accuracy"]])
