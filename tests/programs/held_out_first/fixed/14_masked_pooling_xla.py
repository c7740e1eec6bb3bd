"""Mean pooling of padded sentences, compiled for speed."""
import numpy as np
import tensorflow as tf


def frequency_table(ids):
    """Maps the raw token ids of the corpus to rows of the embedding, 0 for unknown ones."""
    keys = tf.constant(ids, tf.int64)
    rows = tf.range(1, len(ids) + 1, dtype=tf.int64)
    return tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, rows), default_value=0)


class SentenceEncoder(tf.Module):
    def __init__(self, vocab, dim, length):
        super().__init__()
        self.rows = frequency_table(vocab)
        self.length = length
        self.table = tf.Variable(tf.random.normal([len(vocab) + 1, dim], stddev=0.1))
        self.proj = tf.Variable(tf.random.normal([dim, dim], stddev=0.3))

    def mask(self, lengths):
        return tf.sequence_mask(lengths, self.length, dtype=tf.float32)

    def pool(self, states, lengths):
        mask = self.mask(lengths)[..., None]
        return tf.reduce_sum(states * mask, axis=1) / tf.maximum(tf.reduce_sum(mask, axis=1), 1.0)

    @tf.function(jit_compile=True)
    def encode_rows(self, rows, lengths):
        states = tf.nn.gelu(tf.gather(self.table, rows) @ self.proj)
        return tf.math.l2_normalize(self.pool(states, lengths), axis=-1)

    def encode(self, ids, lengths):
        return self.encode_rows(self.rows.lookup(ids), lengths)


def pad(sentences):
    lengths = np.array([len(s) for s in sentences], "int32")
    ids = np.zeros((len(sentences), lengths.max()), "int64")
    for row, s in zip(ids, sentences):
        row[: len(s)] = s
    return tf.constant(ids), tf.constant(lengths)


def corpus(n, length, vocab, seed=0):
    rng = np.random.default_rng(seed)
    sentences = [rng.integers(1, vocab, size=rng.integers(2, length + 1)).tolist() for _ in range(n)]
    sentences[0] = list(range(1, length + 1))
    return sentences


def main():
    tf.random.set_seed(14)
    encoder = SentenceEncoder(vocab=list(range(1, 30)), dim=8, length=12)
    ids, lengths = pad(corpus(10, 12, 40))
    vectors = encoder.encode(ids, lengths)
    similarity = tf.matmul(vectors, vectors, transpose_b=True)
    print("vectors", vectors.shape, "self similarity %.2f" % float(tf.reduce_mean(tf.linalg.diag_part(similarity))))


main()
