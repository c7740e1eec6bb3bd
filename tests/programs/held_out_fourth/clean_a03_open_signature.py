"""Scoring of documents of any length with one trace."""
import numpy as np
import tensorflow as tf


class Scorer(tf.Module):
    def __init__(self, vocab=100, width=8):
        super().__init__()
        rng = tf.random.Generator.from_seed(0)
        self.table = tf.Variable(rng.normal([vocab, width]))
        self.head = tf.Variable(rng.normal([width]))

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32),
                                  tf.TensorSpec([None], tf.int32)])
    def score(self, tokens, lengths):
        mask = tf.sequence_mask(lengths, tf.shape(tokens)[1], dtype=tf.float32)
        emb = tf.gather(self.table, tokens) * mask[..., None]
        mean = tf.reduce_sum(emb, axis=1) / tf.cast(lengths, tf.float32)[:, None]
        return tf.linalg.matvec(mean, self.head)


def batches(n=30, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        rows, width = rng.integers(1, 9), rng.integers(3, 40)
        lengths = rng.integers(1, width + 1, rows)
        tokens = rng.integers(0, 100, (rows, width))
        yield tokens.astype("int32"), lengths.astype("int32")


if __name__ == "__main__":
    scorer = Scorer()
    scores = []
    for tokens, lengths in batches():
        scores.extend(scorer.score(tokens, lengths).numpy())
    print(len(scores), "documents, mean", round(float(np.mean(scores)), 4))
