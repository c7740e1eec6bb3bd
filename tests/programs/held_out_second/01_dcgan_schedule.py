"""Small DCGAN on synthetic 8x8 blobs with a hand written learning-rate decay."""
import argparse
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf


@dataclass
class GanConfig:
    latent: int = 8
    batch: int = 16
    steps: int = 25
    lr: float = 2e-3
    decay: float = 0.97
    history: list = field(default_factory=list)

    def rate_at(self, step):
        return self.lr * self.decay ** step


def blobs(n, seed=0):
    rng = np.random.default_rng(seed)
    centre = rng.uniform(2, 6, size=(n, 2))
    grid = np.stack(np.meshgrid(np.arange(8), np.arange(8)), -1)
    dist = ((grid[None] - centre[:, None, None]) ** 2).sum(-1)
    return np.exp(-dist / 4.0).astype("float32")[..., None]


def build_generator(latent):
    return tf.keras.Sequential([
        tf.keras.Input((latent,)),
        tf.keras.layers.Dense(4 * 4 * 8, activation="relu"),
        tf.keras.layers.Reshape((4, 4, 8)),
        tf.keras.layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="sigmoid"),
    ])


def build_discriminator():
    return tf.keras.Sequential([
        tf.keras.Input((8, 8, 1)),
        tf.keras.layers.Conv2D(8, 3, strides=2, activation="leaky_relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ])


class GAN:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = build_generator(cfg.latent)
        self.disc = build_discriminator()
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    def sgd(self, variables, grads, rate):
        for v, g in zip(variables, grads):
            v.assign_sub(rate * g)

    @tf.function
    def train_step(self, real, *, rate):
        z = tf.random.normal([tf.shape(real)[0], self.cfg.latent])
        with tf.GradientTape() as gt, tf.GradientTape() as dt:
            fake = self.gen(z, training=True)
            r, f = self.disc(real, training=True), self.disc(fake, training=True)
            g_loss = self.bce(tf.ones_like(f), f)
            d_loss = self.bce(tf.ones_like(r), r) + self.bce(tf.zeros_like(f), f)
        self.sgd(self.gen.trainable_variables, gt.gradient(g_loss, self.gen.trainable_variables), rate)
        self.sgd(self.disc.trainable_variables, dt.gradient(d_loss, self.disc.trainable_variables), rate)
        return g_loss, d_loss


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=25)
    args = parser.parse_args(argv)
    cfg = GanConfig(steps=args.steps)
    gan = GAN(cfg)
    data = tf.data.Dataset.from_tensor_slices(blobs(128)).shuffle(128).repeat().batch(cfg.batch)
    for step, real in enumerate(data.take(cfg.steps)):
        current = cfg.rate_at(step)
        g, d = gan.train_step(real, rate=current)
        cfg.history.append((float(g), float(d)))
    print("steps", len(cfg.history), "last g %.3f d %.3f" % cfg.history[-1])


if __name__ == "__main__":
    main()
