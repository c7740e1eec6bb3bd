"""Recursive FFT and tree sum unrolled while tracing; depth is fixed by static shapes."""
import numpy as np
import tensorflow as tf


def fft(x):
    n = x.shape[-1]
    if n == 1:
        return x
    even, odd = fft(x[..., 0::2]), fft(x[..., 1::2])
    twiddle = tf.constant(np.exp(-2j * np.pi * np.arange(n // 2) / n), tf.complex64)
    odd = twiddle * odd
    return tf.concat([even + odd, even - odd], axis=-1)


def tree_norm(tree):
    if isinstance(tree, dict):
        return tf.add_n([tree_norm(v) for v in tree.values()])
    if isinstance(tree, (list, tuple)):
        total = tf.constant(0.0)
        for item in tree:
            total += tree_norm(item)
        return total
    return tf.reduce_sum(tf.square(tree))


@tf.function
def spectrum(x):
    return tf.abs(fft(tf.cast(x, tf.complex64)))


@tf.function
def penalty(params):
    return tf.sqrt(tree_norm(params))


def main():
    t = np.arange(16, dtype="float32")
    for k in (1, 2, 3):
        s = spectrum(tf.constant(np.sin(2 * np.pi * k * t / 16)))
        print(k, int(tf.argmax(s[:8])), np.allclose(s, np.abs(np.fft.fft(np.sin(2 * np.pi * k * t / 16))), atol=1e-4))
    params = {"enc": [tf.ones([2, 2]), tf.zeros([2])], "dec": (tf.ones([3]), {"g": tf.ones([])})}
    print(float(penalty(params)))


if __name__ == "__main__":
    main()
