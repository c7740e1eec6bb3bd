"""Train a bag-of-words intent model, export it, and serve it from the SavedModel."""
import tempfile

import numpy as np
import tensorflow as tf

PHRASES = [
    ("turn on the kitchen light", "light"), ("switch the lamp off", "light"),
    ("dim the light please", "light"), ("play some quiet music", "music"),
    ("next song please", "music"), ("stop the music", "music"),
    ("what is the weather today", "weather"), ("will it rain today", "weather"),
]
INTENTS = ["light", "music", "weather"]
MAX_TOKENS = 8


class Vocabulary:
    def __init__(self, texts):
        words = sorted({w for t in texts for w in t.split()})
        init = tf.lookup.KeyValueTensorInitializer(
            words, tf.range(2, len(words) + 2, dtype=tf.int64))
        self.table = tf.lookup.StaticHashTable(init, default_value=1)
        self.size = len(words) + 2

    def encode(self, texts):
        words = tf.strings.split(tf.constant(texts))
        return self.table.lookup(words.to_tensor(default_value="")[:, :MAX_TOKENS])


class IntentModel(tf.Module):
    def __init__(self, vocab_size, n_intents, dim=12):
        super().__init__()
        g = tf.random.Generator.from_seed(1)
        self.emb = tf.Variable(g.normal([vocab_size, dim], stddev=0.2), name="emb")
        self.out = tf.Variable(g.normal([dim, n_intents], stddev=0.2), name="out")

    def logits(self, ids):
        vec = tf.gather(self.emb, ids)
        seen = tf.cast(ids > 1, tf.float32)[..., None]
        mean = tf.reduce_sum(vec * seen, 1) / (tf.reduce_sum(seen, 1) + 1e-6)
        return mean @ self.out

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32, name="ids")])
    def serve(self, ids):
        scores = self.logits(ids)
        return {"probs": tf.nn.softmax(scores), "top": tf.argmax(scores, -1)}


def train(model, ids, labels, steps=120, lr=1.0):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels, logits=model.logits(ids)))
        for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
            v.assign_sub(lr * tf.convert_to_tensor(g))
    return float(loss)


def main():
    texts, names = zip(*PHRASES)
    vocab = Vocabulary(texts)
    labels = tf.constant([INTENTS.index(n) for n in names])
    model = IntentModel(vocab.size, len(INTENTS))
    print("final loss %.4f" % train(model, vocab.encode(texts), labels))

    with tempfile.TemporaryDirectory() as export_dir:
        tf.saved_model.save(model, export_dir)
        served = tf.saved_model.load(export_dir)
        answer = served.serve(vocab.encode(["please play a song", "dim the lamp"]))
        for row, top in zip(np.round(answer["probs"].numpy(), 2), answer["top"].numpy()):
            print(INTENTS[top], row)


if __name__ == "__main__":
    main()
