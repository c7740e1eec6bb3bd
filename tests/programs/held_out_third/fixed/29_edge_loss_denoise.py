"""Image denoising autoencoder with an extra edge-preserving term.

The edge map is computed with the same NumPy code as in our evaluation
scripts, so that training and evaluation agree.
"""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

EDGE_WEIGHT = 5.0
NOISE = 0.25


def make_shapes(n=160, size=20, seed=2):
    rng = np.random.default_rng(seed)
    imgs = np.zeros((n, size, size, 1), np.float32)
    for i in range(n):
        r0, c0 = rng.integers(1, size // 2, size=2)
        h, w = rng.integers(5, size // 2, size=2)
        imgs[i, r0:r0 + h, c0:c0 + w, 0] = rng.uniform(0.5, 1.0)
    noisy = imgs + NOISE * rng.normal(size=imgs.shape).astype(np.float32)
    return noisy, imgs


def edge_strength(batch):
    """|grad| per pixel with central differences. batch: (N, H, W, 1) array."""
    gy = np.zeros_like(batch)
    gx = np.zeros_like(batch)
    gy[:, 1:-1] = 0.5 * (batch[:, 2:] - batch[:, :-2])
    gx[:, :, 1:-1] = 0.5 * (batch[:, :, 2:] - batch[:, :, :-2])
    return np.sqrt(gx ** 2 + gy ** 2 + 1e-6).astype(np.float32)


def edge_map(t):
    """Same as edge_strength, in TensorFlow ops, so that it has a gradient."""
    gy = tf.pad(0.5 * (t[:, 2:] - t[:, :-2]), [[0, 0], [1, 1], [0, 0], [0, 0]])
    gx = tf.pad(0.5 * (t[:, :, 2:] - t[:, :, :-2]), [[0, 0], [0, 0], [1, 1], [0, 0]])
    return tf.sqrt(gx ** 2 + gy ** 2 + 1e-6)


def denoising_loss(y_true, y_pred):
    mse = tf.reduce_mean(tf.square(y_true - y_pred))
    edges = tf.reduce_mean(tf.abs(edge_map(y_true) - edge_map(y_pred)))
    return mse + EDGE_WEIGHT * edges


def edge_error(y_true, y_pred):
    """Logged next to the loss."""
    return tf.reduce_mean(tf.abs(edge_map(y_true) - edge_map(y_pred)))


def build(size=20):
    inp = layers.Input((size, size, 1))
    h = layers.Conv2D(12, 3, padding="same", activation="relu")(inp)
    h = layers.Conv2D(12, 3, padding="same", activation="relu")(h)
    out = layers.Conv2D(1, 3, padding="same")(h)
    return models.Model(inp, out)


def psnr(a, b):
    return -10.0 * np.log10(np.mean((a - b) ** 2))


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(7)
    noisy, clean = make_shapes()
    model = build()
    schedule = optimizers.schedules.CosineDecay(4e-3, decay_steps=6 * 8)
    model.compile(optimizer=optimizers.Adam(schedule), loss=denoising_loss, metrics=[edge_error])
    hist = model.fit(noisy[:128], clean[:128], batch_size=16, epochs=6, verbose=0)
    for k in ("loss", "edge_error"):
        print(k, " ".join(f"{v:.4f}" for v in hist.history[k]))
    restored = model.predict(noisy[128:], batch_size=32, verbose=0)
    print(f"PSNR noisy {psnr(noisy[128:], clean[128:]):.2f} dB -> restored {psnr(restored, clean[128:]):.2f} dB")
    # np.savez("restored.npz", restored=restored)
