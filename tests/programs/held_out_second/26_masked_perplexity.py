"""Perplexity of a bigram model over sentences of different length."""
import numpy as np
import tensorflow as tf

VOCAB = 15


class Bigram(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.stateless_normal([VOCAB, VOCAB], [4, 2]))

    def log_prob(self, previous, current):
        return tf.gather(tf.nn.log_softmax(tf.gather(self.table, previous)), current, batch_dims=1)


class PerplexityEvaluator:
    def __init__(self, model, bos=0):
        self.model = model
        self.bos = bos

    def sentence_score(self, tokens, length):
        score = 0
        previous = tf.fill([1], self.bos)
        for t in tf.range(length):
            current = tokens[t][None]
            score += self.model.log_prob(previous, current)[0]
            previous = current
        return score

    @tf.function
    def batch_score(self, batch, lengths):
        scores = tf.map_fn(lambda pair: self.sentence_score(*pair), (batch, lengths),
                           fn_output_signature=tf.float32)
        return tf.reduce_sum(scores), tf.reduce_sum(lengths)

    def perplexity(self, ds):
        total, words = 0.0, 0
        for batch, lengths in ds:
            score, count = self.batch_score(batch, lengths)
            total += float(score)
            words += int(count)
        return float(np.exp(-total / words))


def sentences(n=24, width=9, seed=0):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, width, n).astype("int32")
    ids = rng.integers(1, VOCAB, (n, width)).astype("int32")
    ids[np.arange(width)[None] >= lengths[:, None]] = 0
    return ids, lengths


def main():
    ids, lengths = sentences()
    ds = tf.data.Dataset.from_tensor_slices((ids, lengths)).batch(8)
    evaluator = PerplexityEvaluator(Bigram())
    print("perplexity %.3f" % evaluator.perplexity(ds))


if __name__ == "__main__":
    main()
