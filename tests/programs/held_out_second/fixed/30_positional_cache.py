"""Transformer block whose sinusoidal table is computed once and kept."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

LENGTH, DIM, VOCAB = 10, 16, 30


class Positions(keras.layers.Layer):
    def __init__(self, dim, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim

    def table(self, length):
        position = tf.cast(tf.range(length), tf.float32)[:, None]
        rate = tf.pow(10000.0, -tf.range(0, self.dim, 2, dtype=tf.float32) / self.dim)[None]
        return tf.reshape(tf.stack([tf.sin(position * rate), tf.cos(position * rate)], -1), [length, self.dim])

    def call(self, x):
        return x + self.table(x.shape[1])[None]


class Block(keras.layers.Layer):
    def __init__(self, dim, **kwargs):
        super().__init__(**kwargs)
        self.attention = keras.layers.MultiHeadAttention(2, dim // 2)
        self.norm = keras.layers.LayerNormalization()
        self.mlp = keras.layers.Dense(dim, activation="relu")

    def call(self, x):
        x = self.norm(x + self.attention(x, x))
        return x + self.mlp(x)


class Encoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = keras.layers.Embedding(VOCAB, DIM)
        self.positions = Positions(DIM)
        self.block = Block(DIM)
        self.head = keras.layers.Dense(1, activation="sigmoid")

    def call(self, ids):
        return self.head(tf.reduce_mean(self.block(self.positions(self.embed(ids))), axis=1))


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    ids = rng.integers(0, VOCAB, (96, LENGTH))
    labels = (ids[:, 0] > ids[:, 1]).astype("float32")
    model = Encoder()
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(ids, labels, batch_size=32, epochs=2, verbose=0)
    print("accuracy %.3f" % model.evaluate(ids, labels, batch_size=32, verbose=0)[1])
    print("probabilities", model.predict(ids[:3], verbose=0).ravel().shape)


if __name__ == "__main__":
    main()
