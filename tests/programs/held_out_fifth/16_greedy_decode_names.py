"""Character model for names: train briefly, then decode inside one compiled function."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

ALPHABET = "^abcdefghijklmnopqrstuvwxyz$"
NAMES = ["ada", "alan", "barbara", "claude", "edsger", "emmy", "grace", "john", "kurt", "noam", "sofia"]
MAXLEN = 9


def encode(name):
    ids = [ALPHABET.index(c) for c in "^" + name + "$"]
    return (ids + [ALPHABET.index("$")] * MAXLEN)[: MAXLEN + 1]


class NameModel(keras.Model):
    def __init__(self, vocab, dim=24):
        super().__init__()
        self.embed = keras.layers.Embedding(vocab, dim)
        self.rnn = keras.layers.GRU(dim, return_sequences=True)
        self.out = keras.layers.Dense(vocab)

    def call(self, ids):
        return self.out(self.rnn(self.embed(ids)))


class Decoder:
    def __init__(self, model, limit=8):
        self.model = model
        self.limit = limit

    def _next(self, tokens):
        logits = self.model(tokens)[:, -1]
        return tf.argmax(logits, axis=-1, output_type=tf.int32)[:, tf.newaxis]

    def _extend(self, tokens):
        return tf.concat([tokens, self._next(tokens)], axis=1)

    @tf.function
    def decode(self, prompt):
        tokens = prompt
        for _ in tf.range(self.limit):
            tokens = self._extend(tokens)
        return tokens


def main():
    keras.utils.set_random_seed(0)
    ids = np.array([encode(n) for n in NAMES], dtype="int32")
    model = NameModel(len(ALPHABET))
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(ids[:, :-1], ids[:, 1:], epochs=5, verbose=0)
    prompts = tf.constant([encode("a")[:2], encode("s")[:2]])
    decoder = Decoder(model)
    for row in decoder.decode(prompts).numpy():
        print("".join(ALPHABET[i] for i in row).strip("^$"))


if __name__ == "__main__":
    main()
