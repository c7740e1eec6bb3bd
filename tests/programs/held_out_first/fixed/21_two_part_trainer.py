"""Autoencoder in two parts, trained by hand."""
from typing import NamedTuple

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Parts(NamedTuple):
    encoder: keras.Model
    decoder: keras.Model


def build_parts(width, code):
    encoder = keras.Sequential([keras.Input((width,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(code)])
    decoder = keras.Sequential([keras.Input((code,)), keras.layers.Dense(12, activation="relu"), keras.layers.Dense(width)])
    return Parts(encoder, decoder)


class Trainer:
    def __init__(self, parts, rate):
        self.parts = parts
        self.optimizer = keras.optimizers.Adam(rate)
        self.weights = [w for part in parts for w in part.trainable_variables]

    def reconstruct(self, x):
        return self.parts.decoder(self.parts.encoder(x))

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x - self.reconstruct(x)))
        grads = tape.gradient(loss, self.weights)
        self.optimizer.apply_gradients(zip(grads, self.weights))
        return loss


def samples(n=256, width=10):
    rng = np.random.default_rng(21)
    basis = rng.normal(size=(2, width))
    return tf.constant(rng.normal(size=(n, 2)) @ basis, tf.float32)


def main():
    keras.utils.set_random_seed(21)
    parts = build_parts(10, 2)
    trainer = Trainer(parts, 0.01)
    x = samples()
    first = float(trainer.step(x))
    before = [w.numpy().copy() for w in parts.decoder.trainable_variables]
    for _ in range(60):
        last = float(trainer.step(x))
    moved = [float(np.abs(a - b.numpy()).max()) for a, b in zip(before, parts.decoder.trainable_variables)]
    print("loss %.3f -> %.3f, largest change in the decoder %.3f" % (first, last, max(moved)))


if __name__ == "__main__":
    main()
