"""Score a set of utterances with a small acoustic model and print the worst ones."""
import argparse
import numpy as np
import tensorflow as tf


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--count", type=int, default=30)
    p.add_argument("--frames", type=int, default=20)
    p.add_argument("--mels", type=int, default=8)
    p.add_argument("--verbose", action="store_true")
    return p.parse_args()


class Corpus:
    """Pretends to read features that were extracted offline."""

    def __init__(self, count, frames, mels, seed=0):
        self.rng = np.random.default_rng(seed)
        self.count, self.frames, self.mels = count, frames, mels

    def __iter__(self):
        for i in range(self.count):
            speaker = "spk%02d" % (i % 4)
            feats = self.rng.normal(size=(self.frames, self.mels)).astype("float32")
            yield "%s-%05d" % (speaker, i), tf.convert_to_tensor(feats)


class Scorer(tf.Module):
    def __init__(self, mels, units=16):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([mels, units], stddev=0.1))
        self.v = tf.Variable(tf.random.normal([units, 1], stddev=0.1))
        self.threshold = tf.Variable(2.0, trainable=False)

    @tf.function
    def score(self, feats, utt):
        hidden = tf.nn.relu(feats @ self.w)
        value = tf.reduce_mean(hidden @ self.v)
        if tf.abs(value) > self.threshold:
            tf.print("outlier:", utt, value)
        return value, tf.strings.join(["scored/", utt])


def main():
    args = parse_args()
    tf.random.set_seed(1)
    scorer = Scorer(args.mels)
    results = {}
    for utt, feats in Corpus(args.count, args.frames, args.mels):
        value, key = scorer.score(feats, tf.constant(utt))
        results[key.numpy().decode()] = float(value)
    worst = sorted(results.items(), key=lambda kv: kv[1])[:3]
    for key, value in worst:
        print("%s %.4f" % (key, value))
    print("total", len(results))


if __name__ == "__main__":
    main()
