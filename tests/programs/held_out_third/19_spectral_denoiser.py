"""Learned Wiener-style spectral denoising of gravitational-wave-like chirps."""
import functools
import time

import numpy as np
import tensorflow as tf


def accelerated(*, timed=False):
    """Decorator: run as a graph and optionally keep the time spent in each function."""

    def wrap(fn):
        spent = []

        @functools.wraps(fn)
        def inner(*args, **kwargs):
            t0 = time.perf_counter()
            out = tf.function(fn)(*args, **kwargs)
            if timed:
                spent.append(time.perf_counter() - t0)
            return out

        inner.spent = spent
        return inner

    return wrap


class WienerNet(tf.Module):
    def __init__(self, bins):
        super().__init__()
        self.slope = tf.Variable(tf.ones([bins]))
        self.floor = tf.Variable(tf.zeros([bins]))

    def mask(self, spec):
        return tf.sigmoid(self.slope * tf.math.log(tf.abs(spec) + 1e-4) + self.floor)

    def __call__(self, noisy, length=64, hop=32):
        spec = tf.signal.stft(noisy, length, hop, window_fn=tf.signal.hann_window)
        gain = self.mask(spec)
        clean = spec * tf.complex(gain, tf.zeros_like(gain))
        return tf.signal.inverse_stft(
            clean, length, hop, window_fn=tf.signal.inverse_stft_window_fn(hop))


def chirps(n, length=512, seed=0):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, length)
    f0 = rng.uniform(10, 25, (n, 1))
    clean = np.sin(2 * np.pi * (f0 * t + 20 * t**2)) * np.exp(-(((t - 0.6) / 0.2) ** 2))
    return clean.astype("float32"), (clean + rng.normal(0, 0.5, clean.shape)).astype("float32")


net = WienerNet(bins=33)
optimizer = tf.keras.optimizers.Adam(0.05)
optimizer.build(net.trainable_variables)


@accelerated(timed=True)
def train_step(noisy, clean):
    with tf.GradientTape() as tape:
        restored = net(noisy)
        loss = tf.reduce_mean(tf.square(restored[:, 64:-64] - clean[:, 64:-64]))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    return loss


def snr_db(reference, estimate):
    noise = np.mean((reference - estimate) ** 2)
    return 10 * np.log10(np.mean(reference**2) / noise)


def main():
    clean, noisy = chirps(256)
    ds = tf.data.Dataset.from_tensor_slices((noisy, clean)).batch(32, drop_remainder=True).repeat(3)
    for i, (bn, bc) in enumerate(ds):
        loss = train_step(bn, bc)
        if i % 8 == 0:
            print(f"batch {i:2d} mse {float(loss):.4f}")
    print(f"mean step {1e3 * np.mean(train_step.spent[2:]):.1f} ms")
    c, n = chirps(16, seed=5)
    print(f"SNR {snr_db(c, n):.1f} -> {snr_db(c[:, 64:-64], net(n).numpy()[:, 64:-64]):.1f} dB")


if __name__ == "__main__":
    main()
