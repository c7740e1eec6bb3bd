"""Small U-Net on synthetic cell images; the boundary term is phased in over training."""
import math
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers as L


@dataclass(frozen=True)
class Ramp:
    start: float
    end: float
    steps: int

    def at(self, step):
        t = min(step / self.steps, 1.0)
        return self.start + (self.end - self.start) * 0.5 * (1.0 - math.cos(math.pi * t))


@dataclass
class TrainConfig:
    size: int = 32
    batch: int = 8
    steps: int = 14
    lr: float = 2e-3
    boundary: Ramp = field(default_factory=lambda: Ramp(0.0, 0.4, 30))
    dice: Ramp = field(default_factory=lambda: Ramp(0.2, 1.0, 30))


def make_unet(size):
    inp = tf.keras.Input((size, size, 1))
    d1 = L.Conv2D(8, 3, padding="same", activation="relu")(inp)
    d2 = L.Conv2D(16, 3, strides=2, padding="same", activation="relu")(d1)
    u1 = L.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu")(d2)
    out = L.Conv2D(1, 1)(L.Concatenate()([d1, u1]))
    return tf.keras.Model(inp, out)


def synth_batches(cfg, seed=7):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[: cfg.size, : cfg.size]
    for _ in range(cfg.steps):
        c = rng.uniform(8, cfg.size - 8, (cfg.batch, 2))
        r = rng.uniform(3, 7, (cfg.batch, 1, 1))
        d = np.hypot(yy[None] - c[:, :1, None], xx[None] - c[:, 1:, None])
        mask = (d < r).astype("float32")[..., None]
        noisy = mask + rng.normal(0, 0.3, mask.shape).astype("float32")
        yield tf.constant(noisy), tf.constant(mask)


def soft_dice(prob, mask):
    inter = tf.reduce_sum(prob * mask, axis=[1, 2, 3])
    total = tf.reduce_sum(prob + mask, axis=[1, 2, 3])
    return 1.0 - tf.reduce_mean((2.0 * inter + 1.0) / (total + 1.0))


def boundary_l1(prob, mask):
    gp, gm = tf.image.sobel_edges(prob), tf.image.sobel_edges(mask)
    return tf.reduce_mean(tf.abs(gp - gm))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = make_unet(cfg.size)
        self.opt = tf.keras.optimizers.Adam(cfg.lr)

    def term_weights(self, step):
        return {"w_dice": self.cfg.dice.at(step), "w_edge": self.cfg.boundary.at(step)}

    @tf.function
    def update(self, images, masks, w_dice, w_edge):
        with tf.GradientTape() as tape:
            logits = self.net(images, training=True)
            prob = tf.sigmoid(logits)
            bce = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=masks, logits=logits))
            loss = bce + w_dice * soft_dice(prob, masks) + w_edge * boundary_l1(prob, masks)
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss

    def run(self):
        for step, (images, masks) in enumerate(synth_batches(self.cfg)):
            loss = self.update(images, masks, **self.term_weights(step))
            if step % 5 == 0:
                print(f"step {step:3d}  loss {float(loss):.4f}")


if __name__ == "__main__":
    tf.random.set_seed(0)
    Trainer(TrainConfig()).run()
