"""Intent classification on chat utterances (char level), custom loop.

Batches are built from a generator: utterances are sorted by length and every
batch is padded only to its own longest member, to save compute.
"""
import argparse
import math

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

PAD = 0


def synth_corpus(n=320, vocab=40, n_intents=5, seed=0):
    """Random 'utterances': the intent decides which characters are frequent."""
    rng = np.random.default_rng(seed)
    data = []
    for _ in range(n):
        intent = int(rng.integers(n_intents))
        length = int(rng.integers(6, 90))
        base = rng.integers(1, vocab, size=length)
        mask = rng.random(length) < 0.3
        base[mask] = 1 + intent * 7 + rng.integers(0, 3, size=mask.sum())
        data.append((base.tolist(), intent))
    return data


class BucketBatcher:
    """Sort by length, cut into batches, shuffle the batches each epoch."""

    def __init__(self, corpus, batch_size=16, seed=0):
        self.corpus = sorted(corpus, key=lambda item: len(item[0]))
        self.batch_size = batch_size
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return math.ceil(len(self.corpus) / self.batch_size)

    def __iter__(self):
        starts = np.arange(0, len(self.corpus), self.batch_size)
        self.rng.shuffle(starts)
        for s in starts:
            chunk = self.corpus[s:s + self.batch_size]
            width = max(len(ids) for ids, _ in chunk)
            tokens = np.full((len(chunk), width), PAD, dtype=np.int32)
            for row, (ids, _) in enumerate(chunk):
                tokens[row, :len(ids)] = ids
            yield tokens, np.array([intent for _, intent in chunk], dtype=np.int32)


class IntentNet(tf.keras.Model):
    def __init__(self, vocab, n_intents, dim=24):
        super().__init__()
        self.emb = layers.Embedding(vocab, dim)
        self.conv = layers.Conv1D(32, 5, padding="same", activation="relu")
        self.out = layers.Dense(n_intents)

    def call(self, tokens):
        mask = tf.cast(tokens != PAD, tf.float32)[..., None]
        h = self.conv(self.emb(tokens) * mask) * mask
        pooled = tf.reduce_sum(h, axis=1) / tf.maximum(tf.reduce_sum(mask, axis=1), 1.0)
        return self.out(pooled)


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.acc = tf.keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def step(self, tokens, intents):
        with tf.GradientTape() as tape:
            logits = self.model(tokens)
            loss = self.loss_fn(intents, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        grads, _ = tf.clip_by_global_norm(grads, 5.0)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        self.acc.update_state(intents, logits)
        return loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    tf.random.set_seed(0)

    batches = BucketBatcher(synth_corpus(), args.batch)
    trainer = Trainer(IntentNet(40, 5), args.lr)
    for epoch in range(args.epochs):
        trainer.acc.reset_state()
        losses = []
        for tokens, intents in batches:
            losses.append(trainer.step(tf.constant(tokens), tf.constant(intents)))
        print(f"[{epoch}] loss {np.mean([float(l) for l in losses]):.3f} "
              f"acc {float(trainer.acc.result()):.3f} ({len(batches)} batches)")


if __name__ == "__main__":
    main()
