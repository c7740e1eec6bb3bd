"""Denoising diffusion on 2-D spirals, small enough for a laptop."""
import contextlib
import time

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def spiral(n, seed=0):
    rng = np.random.default_rng(seed)
    th = np.sqrt(rng.uniform(0, 1, n)) * 3 * np.pi
    pts = np.stack([th * np.cos(th), th * np.sin(th)], -1) / 9.0
    return (pts + rng.normal(0, 0.02, pts.shape)).astype("float32")


class Schedule:
    def __init__(self, steps=50, lo=1e-4, hi=0.05):
        betas = np.linspace(lo, hi, steps).astype("float32")
        self.steps = steps
        self.abar = tf.constant(np.cumprod(1.0 - betas).astype("float32"))

    def noisy(self, x0, t, eps):
        a = tf.gather(self.abar, t)[:, None]
        return tf.sqrt(a) * x0 + tf.sqrt(1.0 - a) * eps


def denoiser(steps, width=48):
    x = tf.keras.Input((2,))
    t = tf.keras.Input((), dtype="int32")
    emb = layers.Embedding(steps, 16)(t)
    h = layers.Dense(width, activation="swish")(layers.Concatenate()([x, emb]))
    h = layers.Dense(width, activation="swish")(h)
    return tf.keras.Model([x, t], layers.Dense(2)(h))


class Diffusion:
    def __init__(self, schedule):
        self.schedule = schedule
        self.net = denoiser(schedule.steps)
        self.opt = tf.keras.optimizers.Adam(2e-3)
        self.opt.build(self.net.trainable_variables)

    @tf.function
    def step(self, x0):
        n = tf.shape(x0)[0]
        t = tf.random.uniform([n], 0, self.schedule.steps, dtype=tf.int32)
        eps = tf.random.normal(tf.shape(x0))
        with tf.GradientTape() as tape:
            guess = self.net([self.schedule.noisy(x0, t, eps), t], training=True)
            loss = tf.reduce_mean(tf.square(guess - eps))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


@contextlib.contextmanager
def smoke_test():
    """First batch goes step by step, so that a bad shape gives a readable traceback."""
    tf.config.run_functions_eagerly(True)
    started = time.perf_counter()
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)
    print(f"smoke test passed in {time.perf_counter() - started:.2f}s")


def main(epochs=6):
    tf.keras.utils.set_random_seed(0)
    model = Diffusion(Schedule())
    data = tf.data.Dataset.from_tensor_slices(spiral(2048)).shuffle(2048).batch(64, drop_remainder=True)
    with smoke_test():
        for batch in data.take(1):
            model.step(batch)
    for epoch in range(epochs):
        losses = [float(model.step(batch)) for batch in data]
        print(f"epoch {epoch} loss {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
