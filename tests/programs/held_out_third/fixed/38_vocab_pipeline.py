"""Ticket routing: tf.data pipeline from raw lines to a bag-of-words classifier."""
import collections
import random
import re

import numpy as np
import tensorflow as tf
from tensorflow import keras

QUEUES = ["billing", "network", "account"]
TEMPLATES = {
    "billing": ["invoice {n} is wrong", "charged twice on card", "refund for order {n} missing"],
    "network": ["router drops every {n} minutes", "no signal since morning", "slow wifi upstairs"],
    "account": ["cannot login to portal", "password reset mail never came", "change email on account {n}"],
}


def synth_lines(n=360, seed=0):
    rnd = random.Random(seed)
    for _ in range(n):
        queue = rnd.choice(QUEUES)
        text = rnd.choice(TEMPLATES[queue]).format(n=rnd.randint(2, 99))
        yield f"{queue}\t{text}"


class Vocabulary:
    """word -> id, 0 is padding, 1 is unknown."""

    def __init__(self, texts, max_size=200):
        counts = collections.Counter(w for t in texts for w in self.split(t))
        words = [w for w, _ in counts.most_common(max_size - 2)]
        self.index = {w: i + 2 for i, w in enumerate(words)}
        self.table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(
                tf.constant(list(self.index)), tf.constant(list(self.index.values()), tf.int32)),
            default_value=1,
        )

    @staticmethod
    def split(text):
        return re.findall(r"[a-z]+", text.lower())

    def __len__(self):
        return len(self.index) + 2

    def lookup(self, words):
        return self.table.lookup(words)


class Pipeline:
    def __init__(self, vocab, max_words=8):
        self.vocab = vocab
        self.max_words = max_words

    def encode(self, text, label):
        words = tf.strings.split(tf.strings.lower(text))[: self.max_words]
        ids = self.vocab.lookup(words)
        pad = self.max_words - tf.shape(ids)[0]
        ids = tf.ensure_shape(tf.pad(ids, [[0, pad]]), [self.max_words])
        return ids, label

    def dataset(self, texts, labels, batch=32, training=True):
        ds = tf.data.Dataset.from_tensor_slices((texts, labels))
        if training:
            ds = ds.shuffle(len(texts), seed=1)
        ds = ds.map(self.encode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(1)


def build(vocab_size, n_classes):
    return keras.Sequential([
        keras.layers.Embedding(vocab_size, 16, mask_zero=True),
        keras.layers.GlobalAveragePooling1D(),
        keras.layers.Dense(n_classes),
    ])


def main():
    keras.utils.set_random_seed(4)
    pairs = [line.split("\t") for line in synth_lines()]
    labels = np.array([QUEUES.index(q) for q, _ in pairs], dtype=np.int32)
    texts = np.array([t for _, t in pairs])
    split = 288
    vocab = Vocabulary(texts[:split])
    print("vocabulary", len(vocab))
    pipe = Pipeline(vocab)
    model = build(len(vocab), len(QUEUES))
    model.compile(
        optimizer=keras.optimizers.Adam(2e-2),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(pipe.dataset(texts[:split], labels[:split]), epochs=4, verbose=0)
    res = model.evaluate(pipe.dataset(texts[split:], labels[split:], training=False), verbose=0, return_dict=True)
    print({k: round(float(v), 3) for k, v in res.items()})


if __name__ == "__main__":
    main()
