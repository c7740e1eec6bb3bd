"""Normalised LMS echo canceller; keeps the residual and the misalignment curve."""
import argparse

import numpy as np
import tensorflow as tf


def echo_scene(n, taps, seed=0):
    rng = np.random.default_rng(seed)
    far = rng.normal(size=n).astype("float32")
    room = (np.exp(-np.arange(taps) / 4.0) * rng.normal(size=taps)).astype("float32")
    mic = np.convolve(far, room)[:n] + 0.01 * rng.normal(size=n)
    return far, mic.astype("float32"), room


def note(ta, i, value):
    return ta.write(i, value)


def power_db(x):
    return 10.0 * tf.math.log(x + 1e-12) / tf.math.log(10.0)


@tf.function
def nlms(far, mic, room, mu):
    taps = tf.shape(room)[0]
    n = tf.shape(far)[0]
    padded = tf.concat([tf.zeros([taps - 1]), far], axis=0)
    w = tf.zeros_like(room)
    err_ta = tf.TensorArray(tf.float32, size=n, element_shape=())
    mis_ta = tf.TensorArray(tf.float32, size=n, element_shape=())
    for i in tf.range(n):
        frame = tf.reverse(padded[i : i + taps], axis=[0])
        e = mic[i] - tf.tensordot(w, frame, 1)
        w = w + mu * e * frame / (tf.tensordot(frame, frame, 1) + 1e-3)
        err_ta = note(err_ta, i, e)
        mis = tf.reduce_sum(tf.square(w - room)) / tf.reduce_sum(tf.square(room))
        mis_ta = note(mis_ta, i, power_db(mis))
    return w, err_ta.stack(), mis_ta.stack()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=1500)
    ap.add_argument("--taps", type=int, default=16)
    ap.add_argument("--mu", type=float, default=0.5)
    a = ap.parse_args()
    far, mic, room = map(tf.constant, echo_scene(a.n, a.taps))
    w, err, mis = nlms(far, mic, room, tf.constant(a.mu))
    head, tail = err[: a.n // 10], err[-a.n // 10 :]
    erle = power_db(tf.reduce_mean(tf.square(head))) - power_db(tf.reduce_mean(tf.square(tail)))
    print(f"filter error {float(tf.norm(w - room)):.4f}")
    print(f"ERLE {float(erle):.1f} dB, final misalignment {float(mis[-1]):.1f} dB")


if __name__ == "__main__":
    main()
