"""Recursive Haar transform compiled as one graph."""
import numpy as np
import tensorflow as tf


def haar(x, levels):
    """Returns the list of details, coarse part last."""
    if levels == 0:
        return [x]
    even, odd = x[:, ::2], x[:, 1::2]
    detail = (even - odd) / 2 ** 0.5
    coarse = (even + odd) / 2 ** 0.5
    return [detail] + haar(coarse, levels - 1)


def inverse(parts):
    if len(parts) == 1:
        return parts[0]
    coarse = inverse(parts[1:])
    detail = parts[0]
    even, odd = (coarse + detail) / 2 ** 0.5, (coarse - detail) / 2 ** 0.5
    width = 2 * coarse.shape[1]
    return tf.reshape(tf.stack([even, odd], axis=-1), [-1, width])


@tf.function
def denoise(x, levels, threshold):
    parts = haar(x, levels)
    kept = [tf.sign(p) * tf.nn.relu(tf.abs(p) - threshold) for p in parts[:-1]]
    return inverse(kept + parts[-1:])


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 64)
    clean = np.stack([np.sign(np.sin(2 * np.pi * k * t)) for k in (1, 2)]).astype("float32")
    for noise in (0.1, 0.2, 0.4):
        noisy = clean + noise * rng.normal(size=clean.shape).astype("float32")
        out = denoise(tf.constant(noisy), 3, tf.constant(2 * noise, tf.float32))
        before, after = np.mean((noisy - clean) ** 2), np.mean((out.numpy() - clean) ** 2)
        print(f"noise {noise:.1f}: error {before:.4f} -> {after:.4f}")
