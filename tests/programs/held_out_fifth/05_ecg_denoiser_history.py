"""1-D denoising filter bank for ECG-like traces; history is kept by the base class."""
import collections

import numpy as np
import tensorflow as tf


class Experiment:
    def __init__(self, name):
        self.name = name
        self.history = collections.defaultdict(list)

    def record(self, tag, value):
        self.history[tag].append(value)
        return value

    def summary(self):
        return {tag: len(values) for tag, values in self.history.items()}


class Denoiser(Experiment):
    def __init__(self, taps=9, filters=4):
        super().__init__("denoiser")
        self.kernel = tf.Variable(tf.random.normal([taps, 1, filters], stddev=0.1, seed=2))
        self.mix = tf.Variable(tf.ones([1, filters, 1]) / filters)
        self.opt = tf.keras.optimizers.SGD(0.05)
        self.opt.build([self.kernel, self.mix])

    def clean(self, x):
        h = tf.nn.conv1d(x, self.kernel, stride=1, padding="SAME")
        return tf.nn.conv1d(h, self.mix, stride=1, padding="SAME")

    def _losses(self, noisy, target):
        out = self.clean(noisy)
        fit = tf.reduce_mean(tf.square(out - target))
        rough = tf.reduce_mean(tf.abs(out[:, 1:] - out[:, :-1]))
        self.record("fit", fit)
        return fit + 0.01 * rough

    @tf.function
    def step(self, noisy, target):
        with tf.GradientTape() as tape:
            loss = self._losses(noisy, target)
        weights = [self.kernel, self.mix]
        self.opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss


def heartbeat(n, length, rng):
    t = np.linspace(0, 4 * np.pi, length)
    clean = np.sin(t)[None] ** 15 * rng.uniform(0.8, 1.2, (n, 1))
    noisy = clean + 0.2 * rng.normal(size=clean.shape)
    return noisy[..., None].astype("float32"), clean[..., None].astype("float32")


def run(steps=20):
    rng = np.random.default_rng(5)
    exp = Denoiser()
    noisy, clean = (tf.constant(a) for a in heartbeat(16, 128, rng))
    for _ in range(steps):
        loss = exp.step(noisy, clean)
    print("loss", float(loss))
    print("recorded", exp.summary(), "of", steps, "steps")


if __name__ == "__main__":
    run()
