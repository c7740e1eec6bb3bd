"""Spectral loss with two code paths: a readable one for debugging and a fast one."""
import numpy as np
import tensorflow as tf


class Backend:
    """Chooses how magnitudes are computed; the reference path also applies the A-weighting."""

    def __init__(self, frame=64, hop=32):
        self.frame, self.hop = frame, hop
        bins = frame // 2 + 1
        self.weights = tf.constant(np.linspace(0.2, 1.0, bins), tf.float32)

    def _reference(self, x):
        s = tf.abs(tf.signal.stft(x, self.frame, self.hop))
        return s * self.weights

    def _plain(self, x):
        return tf.abs(tf.signal.stft(x, self.frame, self.hop))

    def magnitudes(self, x):
        if tf.executing_eagerly():
            return self._reference(x)
        return self._plain(x)


class SpectralLoss:
    def __init__(self, backend):
        self.backend = backend

    def __call__(self, a, b):
        d = self.backend.magnitudes(a) - self.backend.magnitudes(b)
        return tf.reduce_mean(tf.abs(d))


def tone(freq, n=512, rate=8000.0):
    return tf.sin(2 * np.pi * freq * tf.range(n, dtype=tf.float32) / rate)


class Harmoniser(tf.Module):
    def __init__(self, loss):
        super().__init__()
        self.gains = tf.Variable([0.5, 0.5, 0.5])
        self.bank = tf.stack([tone(f) for f in (220.0, 440.0, 880.0)])
        self.loss = loss

    def synth(self):
        return tf.tensordot(self.gains, self.bank, 1)

    @tf.function
    def fit_step(self, target):
        with tf.GradientTape() as tape:
            loss = self.loss(self.synth(), target)
        self.gains.assign_sub(0.05 * tape.gradient(loss, self.gains))
        return loss


def main():
    loss = SpectralLoss(Backend())
    model = Harmoniser(loss)
    target = 0.9 * tone(220.0) + 0.1 * tone(880.0)
    before = loss(model.synth(), target)
    first = model.fit_step(target)
    print("check before training:", float(before), "first step reports:", float(first))
    for _ in range(30):
        value = model.fit_step(target)
    print("last", float(value), "gains", model.gains.numpy())


if __name__ == "__main__":
    main()
