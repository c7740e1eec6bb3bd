"""Patch attention block used for scoring; the signature leaves batch and length open."""
import numpy as np
import tensorflow as tf

DIM, HEADS = 16, 4


def split_heads(x, heads=HEADS):
    batch, length = tf.shape(x)[0], tf.shape(x)[1]
    dim = x.shape[-1]
    x = tf.reshape(x, [batch, length, heads, dim // heads])
    return tf.transpose(x, [0, 2, 1, 3])


def merge_heads(x):
    x = tf.transpose(x, [0, 2, 1, 3])
    s = tf.shape(x)
    return tf.reshape(x, [s[0], s[1], s[2] * s[3]])


class Attention(tf.Module):
    def __init__(self, dim=DIM):
        super().__init__()
        make = lambda s: tf.Variable(tf.random.stateless_normal([dim, dim], seed=[s, 1]) * 0.2)
        self.q, self.k, self.v, self.o = (make(s) for s in range(4))

    def __call__(self, x):
        q, k, v = (split_heads(x @ w) for w in (self.q, self.k, self.v))
        att = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / (DIM // HEADS) ** 0.5)
        return x + merge_heads(tf.matmul(att, v)) @ self.o


class Scorer(tf.Module):
    def __init__(self):
        super().__init__()
        self.att = Attention()
        self.w = tf.Variable(tf.ones([DIM, 1]) / DIM)

    @tf.function(input_signature=[tf.TensorSpec([None, None, DIM], tf.float32)])
    def score(self, patches):
        pooled = tf.reduce_mean(self.att(patches), axis=1)
        return tf.squeeze(pooled @ self.w, -1)


def main():
    rng = np.random.default_rng(1)
    scorer = Scorer()
    for length in (5, 9):
        x = rng.normal(size=(3, length, DIM)).astype("float32")
        print(length, np.round(scorer.score(tf.constant(x)).numpy(), 3))


if __name__ == "__main__":
    main()
