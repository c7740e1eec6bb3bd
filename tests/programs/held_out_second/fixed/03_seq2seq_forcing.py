"""Seq2seq that reverses digits, GRU encoder/decoder, scheduled sampling."""
import random

import numpy as np
import tensorflow as tf

VOCAB, LENGTH, UNITS = 12, 6, 24
BOS = 0


def make_pairs(n):
    src = np.random.RandomState(1).randint(2, VOCAB, size=(n, LENGTH))
    return src.astype("int32"), src[:, ::-1].astype("int32").copy()


class Encoder(tf.keras.layers.Layer):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.embed = tf.keras.layers.Embedding(VOCAB, UNITS)
        self.gru = tf.keras.layers.GRU(UNITS, return_state=True)

    def call(self, ids):
        _, state = self.gru(self.embed(ids))
        return state


class Decoder(tf.keras.layers.Layer):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.embed = tf.keras.layers.Embedding(VOCAB, UNITS)
        self.cell = tf.keras.layers.GRUCell(UNITS)
        self.out = tf.keras.layers.Dense(VOCAB)

    def call(self, token, state):
        h, states = self.cell(self.embed(token), [state])
        return self.out(h), states[0]


class Seq2Seq:
    def __init__(self, ratio=0.5):
        self.encoder, self.decoder = Encoder(), Decoder()
        self.ratio = ratio
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.optimizer = tf.keras.optimizers.Adam(5e-3)

    def next_input(self, truth, logits):
        coin = tf.random.uniform([])
        guess = tf.argmax(logits, axis=-1, output_type=tf.int32)
        return tf.where(coin < self.ratio, truth, guess)

    def decode(self, state, target):
        token = tf.fill([tf.shape(target)[0]], BOS)
        total = 0.0
        fed = []
        for t in range(LENGTH):
            logits, state = self.decoder(token, state)
            total += self.loss_fn(target[:, t], logits)
            token = self.next_input(target[:, t], logits)
            fed.append(tf.reduce_mean(tf.cast(token == target[:, t], tf.float32)))
        return total / LENGTH, tf.stack(fed)

    @tf.function
    def train_step(self, source, target):
        with tf.GradientTape() as tape:
            loss, fed = self.decode(self.encoder(source), target)
        variables = self.encoder.trainable_variables + self.decoder.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss, fed


def main():
    random.seed(4)
    src, tgt = make_pairs(128)
    model = Seq2Seq()
    ds = tf.data.Dataset.from_tensor_slices((src, tgt)).batch(32)
    forced = []
    for epoch in range(4):
        for s, t in ds:
            loss, fed = model.train_step(s, t)
            forced.append(tuple(fed.numpy() > 0.99))
        print("epoch", epoch, "loss %.3f" % float(loss))
    print("distinct forcing patterns:", len(set(forced)), "of", len(forced))


if __name__ == "__main__":
    main()
