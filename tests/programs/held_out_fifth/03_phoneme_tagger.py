"""Frame tagger for utterances of different lengths, one utterance at a time."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow import keras as K


def utterances(count, feat, rng):
    for _ in range(count):
        frames = int(rng.integers(20, 60))
        x = rng.normal(size=(frames, feat)).astype(np.float32)
        y = (x[:, 0] + np.roll(x[:, 1], 1) > 0).astype(np.int32)
        yield x, y


class Tagger(K.Model):
    def __init__(self, width, classes):
        super().__init__()
        self.conv = K.layers.Conv1D(width, 3, padding="same", activation="relu")
        self.out = K.layers.Dense(classes)

    def call(self, x):
        return self.out(self.conv(x))


class Session:
    def __init__(self, args):
        self.model = Tagger(args.width, 2)
        self.model(tf.zeros([1, 4, args.features]))
        self.opt = K.optimizers.Adam(args.lr)
        self.opt.build(self.model.trainable_variables)
        self.ce = K.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.learn = tf.function(self._learn)

    def _learn(self, frames, labels):
        with tf.GradientTape() as tape:
            logits = self.model(frames[tf.newaxis], training=True)
            loss = self.ce(labels[tf.newaxis], logits)
        w = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, w), w))
        return loss


def parse(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--features", type=int, default=12)
    p.add_argument("--width", type=int, default=16)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--count", type=int, default=20)
    return p.parse_args(argv)


def main():
    args = parse([])
    rng = np.random.default_rng(11)
    session = Session(args)
    running = None
    for n, (x, y) in enumerate(utterances(args.count, args.features, rng)):
        loss = float(session.learn(tf.convert_to_tensor(x), tf.convert_to_tensor(y)))
        running = loss if running is None else 0.9 * running + 0.1 * loss
        if n % 5 == 0:
            print(n, "running loss", round(running, 4))


if __name__ == "__main__":
    main()
