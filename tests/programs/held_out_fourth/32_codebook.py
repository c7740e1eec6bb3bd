"""A tiny vector-quantised autoencoder for 2-D points."""
from dataclasses import dataclass

import keras
import numpy as np
import tensorflow as tf


@dataclass(frozen=True)
class Config:
    codes: int = 8
    dim: int = 2
    hidden: int = 16
    lr: float = 5e-3
    epochs: int = 6


class Quantizer(keras.layers.Layer):
    def __init__(self, codes, dim, **kwargs):
        super().__init__(**kwargs)
        self.codes, self.dim = codes, dim

    def build(self, input_shape):
        self.book = self.add_weight(shape=(self.codes, self.dim), initializer="random_normal", name="book")

    def call(self, z):
        dist = tf.reduce_sum(tf.square(z[:, None, :] - self.book[None]), axis=-1)
        nearest = tf.argmin(dist, axis=-1)
        return tf.gather(self.book, nearest)


def stack(*sizes):
    layers = [keras.layers.Dense(n, activation="relu") for n in sizes[:-1]]
    return keras.Sequential(layers + [keras.layers.Dense(sizes[-1])])


class Autoencoder(keras.Model):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = stack(cfg.hidden, cfg.dim)
        self.quantizer = Quantizer(cfg.codes, cfg.dim)
        self.decoder = stack(cfg.hidden, 2)

    def call(self, x):
        return self.decoder(self.quantizer(self.encoder(x)))


def make_step(model, opt):
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss
    return step


def main(cfg=Config()):
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(8, 2)) * 2
    points = (centers[rng.integers(0, 8, 256)] + rng.normal(size=(256, 2)) * 0.1).astype("float32")
    model = Autoencoder(cfg)
    model(points[:1])
    before = [w.numpy() for w in model.encoder.trainable_variables]
    step = make_step(model, keras.optimizers.Adam(cfg.lr))
    ds = tf.data.Dataset.from_tensor_slices(points).batch(32)
    for epoch in range(cfg.epochs):
        losses = [float(step(x)) for x in ds]
        print("epoch", epoch, "loss %.4f" % np.mean(losses))
    moved = sum(float(np.abs(w.numpy() - b).sum()) for w, b in zip(model.encoder.trainable_variables, before))
    print("encoder moved %.4f" % moved)


if __name__ == "__main__":
    main()
