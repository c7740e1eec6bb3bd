"""Beam search over a bigram model."""
import collections

import tensorflow as tf

Beams = collections.namedtuple("Beams", ["tokens", "scores"])


def extend(tokens, parents, picks):
    kept = tf.gather(tokens, parents)
    return tf.concat([kept, picks[:, None]], axis=1)


class BigramBeamSearch(tf.Module):
    def __init__(self, vocab, width, max_len, end_id=1):
        super().__init__()
        self.vocab, self.width, self.max_len, self.end_id = vocab, width, max_len, end_id
        self.table = tf.Variable(tf.nn.log_softmax(tf.random.normal([vocab, vocab], seed=8) * 2.0))

    def start(self, token):
        tokens = tf.fill([self.width, 1], token)
        scores = tf.concat([[0.0], tf.fill([self.width - 1], -1e9)], axis=0)
        return Beams(tokens, scores)

    def advance(self, beams):
        last = beams.tokens[:, -1]
        options = beams.scores[:, None] + tf.gather(self.table, last)
        scores, flat = tf.math.top_k(tf.reshape(options, [-1]), k=self.width)
        return Beams(extend(beams.tokens, flat // self.vocab, flat % self.vocab), scores)

    @tf.function
    def search(self, token):
        beams = self.start(token)
        length = tf.constant(1)
        while length < self.max_len and beams.tokens[0, -1] != self.end_id:
            beams = self.advance(beams)
            length += 1
        return beams


def main():
    tf.random.set_seed(8)
    searcher = BigramBeamSearch(vocab=9, width=3, max_len=7)
    for first in (2, 5):
        beams = searcher.search(tf.constant(first))
        for row, score in zip(beams.tokens.numpy(), beams.scores.numpy()):
            print(first, row.tolist(), round(float(score), 2))


main()
