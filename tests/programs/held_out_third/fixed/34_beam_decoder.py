"""Beam search for a tiny GRU language model, compiled for serving."""
from typing import NamedTuple

import numpy as np
import tensorflow as tf

BOS, EOS = 1, 2


class DecodeConfig(NamedTuple):
    beam: int = 4
    max_len: int = 16
    length_penalty: float = 0.6


class GRULM(tf.Module):
    def __init__(self, vocab: int, dim: int):
        super().__init__()
        self.vocab, self.dim = vocab, dim
        self.embedding = tf.Variable(tf.random.normal((vocab, dim), stddev=0.6))
        self.cell = tf.keras.layers.GRUCell(dim)
        self.cell.build((None, dim))
        self.logit_w = tf.Variable(tf.random.normal((dim, vocab), stddev=0.6))

    def step(self, token, state):
        emb = tf.gather(self.embedding, token)
        out, states = self.cell(emb, [state])
        return tf.nn.log_softmax(out @ self.logit_w), states[0]


def penalty(length, alpha):
    return ((5.0 + tf.cast(length, tf.float32)) / 6.0) ** alpha


class BeamDecoder:
    def __init__(self, lm: GRULM, cfg: DecodeConfig):
        self.lm, self.cfg = lm, cfg

    def initial(self, context):
        k = self.cfg.beam
        state = tf.repeat(context[None, :], k, axis=0)
        scores = tf.concat([[0.0], tf.fill([k - 1], -1e9)], 0)
        seqs = tf.fill([k, 1], BOS)
        return seqs, scores, state, tf.zeros([k], tf.bool)

    @tf.function
    def decode(self, context):
        k, v = self.cfg.beam, self.lm.vocab
        seqs, scores, state, done = self.initial(context)
        frozen = tf.one_hot([EOS], v, on_value=0.0, off_value=-1e9)
        step = tf.constant(0)
        while step < self.cfg.max_len and not tf.reduce_all(done):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(seqs, tf.TensorShape([k, None]))])
            logp, new_state = self.lm.step(seqs[:, -1], state)
            logp = tf.where(done[:, None], frozen, logp)
            total = tf.reshape(scores[:, None] + logp, [-1])
            scores, flat = tf.math.top_k(total, k)
            parent, token = flat // v, flat % v
            seqs = tf.concat([tf.gather(seqs, parent), token[:, None]], axis=1)
            state = tf.gather(new_state, parent)
            done = tf.gather(done, parent) | (token == EOS)
            step += 1
        best = tf.argmax(scores / penalty(step, self.cfg.length_penalty))
        return seqs[best], scores[best]


def detok(ids, table):
    words = [table[i] for i in ids if i not in (BOS, EOS)]
    return " ".join(words)


def main():
    tf.random.set_seed(3)
    rng = np.random.default_rng(3)
    table = ["<pad>", "<s>", "</s>"] + [f"w{i}" for i in range(27)]
    decoder = BeamDecoder(GRULM(len(table), 24), DecodeConfig())
    for _ in range(4):
        context = tf.constant(rng.normal(size=24), tf.float32)
        ids, score = decoder.decode(context)
        print(f"{float(score):8.3f}  {detok(ids.numpy().tolist(), table)}")


if __name__ == "__main__":
    main()
