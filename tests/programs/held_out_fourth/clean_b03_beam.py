"""Beam search over a fixed Markov chain, all in the graph."""
import numpy as np
import tensorflow as tf

VOCAB, END = 6, 0


def transition_matrix(seed=0):
    logits = np.random.default_rng(seed).normal(size=(VOCAB, VOCAB)) * 1.5
    return tf.nn.log_softmax(tf.constant(logits, tf.float32), axis=-1)


class Beam:
    def __init__(self, table, width):
        self.table = table
        self.width = width

    def expand(self, last, scores, done):
        step = tf.gather(self.table, last)
        frozen = tf.one_hot(tf.fill([self.width], END), VOCAB, on_value=0.0, off_value=-1e9)
        step = tf.where(done[:, None], frozen, step)
        flat = tf.reshape(scores[:, None] + step, [-1])
        best, where = tf.math.top_k(flat, k=self.width)
        return best, where // VOCAB, where % VOCAB

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.int32)])
    def __call__(self, start, limit):
        tokens = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[self.width])
        parents = tf.TensorArray(tf.int32, size=0, dynamic_size=True, element_shape=[self.width])
        last = tf.fill([self.width], start)
        scores = tf.concat([[0.0], tf.fill([self.width - 1], -1e9)], axis=0)
        done = tf.zeros([self.width], tf.bool)
        length = 0
        for t in tf.range(limit):
            scores, parent, last = self.expand(last, scores, done)
            done = tf.logical_or(tf.gather(done, parent), tf.equal(last, END))
            tokens = tokens.write(t, last)
            parents = parents.write(t, parent)
            length = t + 1
            if tf.reduce_all(done):
                break
        return tokens.stack(), parents.stack(), scores, length


def unroll(tokens, parents, row):
    out = []
    for t in reversed(range(len(tokens))):
        out.append(int(tokens[t, row]))
        row = int(parents[t, row])
    return out[::-1]


def main():
    beam = Beam(transition_matrix(), width=3)
    for start in range(1, 4):
        tokens, parents, scores, length = beam(tf.constant(start), tf.constant(7))
        best = unroll(tokens.numpy(), parents.numpy(), 0)
        print("start", start, "length", int(length), "best", best, "score %.3f" % float(scores[0]))


if __name__ == "__main__":
    main()
