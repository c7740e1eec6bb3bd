"""Sequence decoder trained with a mixture of its own output and the reference."""
from dataclasses import dataclass

import tensorflow as tf
from tensorflow.keras import layers


@dataclass
class DecoderConfig:
    vocab: int = 12
    units: int = 16
    reference_prob: float = 0.5
    length: int = 6


class Decoder:
    def __init__(self, cfg):
        self.cfg = cfg
        self.embed = layers.Embedding(cfg.vocab, cfg.units)
        self.cell = layers.GRUCell(cfg.units)
        self.out = layers.Dense(cfg.vocab)

    @property
    def trainable_variables(self):
        return [v for part in (self.embed, self.cell, self.out) for v in part.trainable_variables]

    def next_input(self, reference, logits):
        use_reference = tf.random.uniform([]) < self.cfg.reference_prob
        own = tf.argmax(logits, axis=-1, output_type=tf.int32)
        return tf.where(use_reference, reference, own), tf.cast(use_reference, tf.float32)

    def unroll(self, targets):
        state = tf.zeros([targets.shape[0], self.cfg.units])
        token = tf.zeros([targets.shape[0]], tf.int32)
        steps, forced = [], []
        for t in range(self.cfg.length):
            h, states = self.cell(self.embed(token), [state])
            state = states[0]
            logits = self.out(h)
            steps.append(logits)
            token, used = self.next_input(targets[:, t], logits)
            forced.append(used)
        return tf.stack(steps, axis=1), tf.stack(forced)


class Trainer:
    def __init__(self, decoder):
        self.decoder = decoder
        self.optimizer = tf.keras.optimizers.Adam(1e-2)

    @tf.function
    def step(self, targets):
        with tf.GradientTape() as tape:
            logits, forced = self.decoder.unroll(targets)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
        variables = self.decoder.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss, forced


def main():
    tf.random.set_seed(1)
    cfg = DecoderConfig()
    trainer = Trainer(Decoder(cfg))
    patterns = set()
    for _ in range(8):
        targets = tf.random.uniform([4, cfg.length], maxval=cfg.vocab, dtype=tf.int32)
        loss, forced = trainer.step(targets)
        patterns.add("".join("R" if f else "m" for f in forced.numpy()))
    print("different mixtures in 8 steps:", len(patterns), sorted(patterns)[:3])


main()
