"""Greedy text generation with a small causal model."""
import argparse

import numpy as np
import tensorflow as tf
import keras

TEXT = "the rain fell on the town and the town slept under the rain "


class Tokenizer:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.ids = {c: i for i, c in enumerate(self.chars)}

    def encode(self, text):
        return [self.ids[c] for c in text]

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)


class Writer:
    def __init__(self, tokenizer, width=24):
        self.tokenizer = tokenizer
        size = len(tokenizer.chars)
        self.embed = keras.layers.Embedding(size, width)
        self.conv = keras.layers.Conv1D(width, 5, padding="causal", activation="relu")
        self.head = keras.layers.Dense(size)

    def forward(self, tokens):
        return self.head(self.conv(self.embed(tokens)))

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def next_token(self, tokens):
        logits = self.forward(tokens)[:, -1]
        return tf.argmax(logits, axis=-1, output_type=tf.int32)

    def write(self, prompt, length):
        tokens = tf.constant([self.tokenizer.encode(prompt)], tf.int32)
        for _ in range(length):
            new = self.next_token(tokens)
            tokens = tf.concat([tokens, new[:, None]], axis=1)
        return self.tokenizer.decode(np.asarray(tokens)[0])


def parse(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--prompt", default="the ")
    p.add_argument("--length", type=int, default=60)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args(argv)


if __name__ == "__main__":
    args = parse()
    keras.utils.set_random_seed(args.seed)
    writer = Writer(Tokenizer(TEXT))
    writer.forward(tf.zeros([1, 8], tf.int32))
    print(repr(writer.write(args.prompt, args.length)))
