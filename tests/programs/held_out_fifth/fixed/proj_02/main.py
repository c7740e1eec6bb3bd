import numpy as np
import tensorflow as tf

import vocab
from negatives import NegativeSampler
from skipgram import SkipGram


def main(steps=60):
    table = vocab.build()
    data = np.array(vocab.pairs(table), dtype="int32")
    model = SkipGram(len(table), NegativeSampler(len(table), per_batch=3))
    rng = np.random.default_rng(1)
    for _ in range(steps):
        rows = data[rng.integers(0, len(data), 16)]
        neg = tf.constant(model.sampler.take())
        loss = model.step(tf.constant(rows[:, 0]), tf.constant(rows[:, 1]), neg)
    print("loss", float(loss))
    print("words ever used as a negative:", int(tf.math.count_nonzero(model.touched)), "of", len(table))


if __name__ == "__main__":
    main()
