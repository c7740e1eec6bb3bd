"""Greedy and beam decoding of a character bigram model, with every kind of graph loop."""
import numpy as np
import tensorflow as tf

TEXT = "she sells sea shells by the sea shore the shells she sells are sea shells for sure "
CHARS = sorted(set(TEXT))
END = CHARS.index(" ")


def bigram_logits():
    ids = [CHARS.index(c) for c in TEXT]
    counts = np.full((len(CHARS), len(CHARS)), 0.05)
    for a, b in zip(ids, ids[1:]):
        counts[a, b] += 1.0
    return np.log(counts / counts.sum(1, keepdims=True)).astype("float32")


class Decoder(tf.Module):
    def __init__(self, max_len=12, beams=3):
        super().__init__()
        self.table = tf.constant(bigram_logits())
        self.max_len, self.beams = max_len, beams

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def greedy(self, first):
        """Stops at the first blank; the sequence grows, so its shape is left open."""
        seq, last, score = tf.reshape(first, [1]), first, 0.0
        for _ in tf.range(self.max_len):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(seq, tf.TensorShape([None]))])
            row = self.table[last]
            last = tf.argmax(row, output_type=tf.int32)
            if last == END:
                break
            score += row[last]
            seq = tf.concat([seq, [last]], axis=0)
        return seq, score

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def beam(self, first):
        vocab = self.table.shape[0]
        seqs = tf.fill([self.beams, 1], first)
        scores = tf.concat([[0.0], tf.fill([self.beams - 1], -1e9)], axis=0)

        def grow(i, seqs, scores):
            total = scores[:, None] + tf.gather(self.table, seqs[:, -1])
            best, flat = tf.math.top_k(tf.reshape(total, [-1]), k=self.beams)
            parent, token = flat // vocab, flat % vocab
            return i + 1, tf.concat([tf.gather(seqs, parent), token[:, None]], axis=1), best

        _, seqs, scores = tf.while_loop(
            lambda i, s, p: i < self.max_len, grow, (0, seqs, scores),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([self.beams, None]),
                              tf.TensorShape([self.beams])))
        return seqs, scores

    @tf.function
    def sample_many(self, first, temperatures):
        """One sampled string per temperature; per-step entropies are kept in a TensorArray."""
        rows = []
        for k in range(len(temperatures)):
            last = first
            kept = tf.TensorArray(tf.float32, size=self.max_len, element_shape=())
            ids = tf.TensorArray(tf.int32, size=self.max_len, element_shape=())
            for i in tf.range(self.max_len):
                row = self.table[last] / temperatures[k]
                p = tf.nn.softmax(row)
                kept = self._note(kept, i, -tf.reduce_sum(p * tf.math.log(p)))
                last = tf.random.categorical(row[None], 1, dtype=tf.int32)[0, 0]
                ids = ids.write(i, last)
            rows.append((ids.stack(), tf.reduce_mean(kept.stack())))
        return rows

    @staticmethod
    def _note(ta, i, value):
        return ta.write(i, value)


def text(ids):
    return "".join(CHARS[i] for i in np.asarray(ids))


def main():
    tf.random.set_seed(5)
    dec = Decoder()
    for c in "sbte":
        seq, score = dec.greedy(tf.constant(CHARS.index(c)))
        print(c, "greedy", repr(text(seq)), f"{float(score):.2f}")
    seqs, scores = dec.beam(tf.constant(CHARS.index("t")))
    for s, p in zip(seqs.numpy(), scores.numpy()):
        print("beam", repr(text(s)), f"{p:.2f}")
    for ids, h in dec.sample_many(tf.constant(CHARS.index("s")), (0.5, 1.0, 2.0)):
        print("sample", repr(text(ids)), f"entropy {float(h):.2f}")


if __name__ == "__main__":
    main()
