"""Segmentation trainer with a small experiment runner and settings from a dict."""
import contextlib
import time

import numpy as np
import tensorflow as tf

SETTINGS = {"seed": 0, "epochs": 2, "batch": 8, "check_numerics": True, "lr": 3e-3}


class Runtime:
    """Process wide options, applied once at start."""

    def __init__(self, settings):
        self.settings = settings

    def apply(self):
        tf.keras.utils.set_random_seed(self.settings["seed"])
        if self.settings.get("check_numerics"):
            tf.config.run_functions_eagerly(True)
        return self


def unet():
    inputs = tf.keras.Input((16, 16, 1))
    a = tf.keras.layers.Conv2D(6, 3, padding="same", activation="relu")(inputs)
    b = tf.keras.layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(a)
    c = tf.keras.layers.UpSampling2D()(b)
    d = tf.keras.layers.Concatenate()([a, c])
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1)(d))


def dice(y, logits):
    p = tf.sigmoid(logits)
    return 1.0 - (2.0 * tf.reduce_sum(p * y) + 1.0) / (tf.reduce_sum(p) + tf.reduce_sum(y) + 1.0)


class Segmenter:
    def __init__(self, lr):
        self.net = unet()
        self.opt = tf.keras.optimizers.Adam(lr)
        self.opt.build(self.net.trainable_variables)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = dice(y, self.net(x, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        grads = [tf.debugging.check_numerics(g, "gradient") for g in grads]
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


@contextlib.contextmanager
def clock(label):
    start = time.perf_counter()
    yield
    print(label, "%.2f s" % (time.perf_counter() - start))


def circles(n, seed=0):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:16, :16]
    c = rng.uniform(4, 12, (n, 2))
    mask = ((yy[None] - c[:, :1, None]) ** 2 + (xx[None] - c[:, 1:, None]) ** 2 < 12).astype("float32")
    return (mask + 0.2 * rng.normal(size=mask.shape)).astype("float32")[..., None], mask[..., None]


def main():
    Runtime(SETTINGS).apply()
    segmenter = Segmenter(SETTINGS["lr"])
    ds = tf.data.Dataset.from_tensor_slices(circles(96)).batch(SETTINGS["batch"])
    for epoch in range(SETTINGS["epochs"]):
        with clock("epoch %d" % epoch):
            for x, y in ds:
                loss = segmenter.step(x, y)
    print("dice loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
