"""Fault detection on vibration windows with a noise-gated spectral front end."""
import numpy as np
import keras
import tensorflow as tf
from keras import layers


def loud_enough(power, floor):
    """Does the batch carry energy above the measurement floor?"""
    return tf.reduce_mean(power) > floor


@keras.saving.register_keras_serializable("vibration")
class SpectralGate(layers.Layer):
    """Log power spectrum, re-scaled per band when the record is above the noise floor."""

    def __init__(self, floor=1e-2, **kw):
        super().__init__(**kw)
        self.floor = floor

    def build(self, input_shape):
        bands = input_shape[-1] // 2 + 1
        self.gain = self.add_weight(name="gain", shape=(bands,), initializer="ones")

    def call(self, waves):
        power = tf.square(tf.abs(tf.signal.rfft(waves)))
        scaled = power / tf.reduce_mean(power, axis=-1, keepdims=True)
        power = tf.where(loud_enough(power, self.floor), scaled, power)
        return tf.math.log(power * tf.nn.softplus(self.gain) + 1e-6)

    def get_config(self):
        return {**super().get_config(), "floor": self.floor}


def windows(n, length, seed):
    rng = np.random.default_rng(seed)
    faulty = rng.integers(0, 2, n)
    tt = np.arange(length) / length
    x = np.sin(2 * np.pi * 5 * tt)[None] + rng.normal(0, 0.3, (n, length))
    x = x + faulty[:, None] * 0.6 * np.sin(2 * np.pi * 13 * tt)[None]
    return x.astype("float32"), faulty.astype("float32")


def build_detector(length):
    return keras.Sequential([
        keras.Input((length,)),
        SpectralGate(floor=0.05),
        layers.Dense(16, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])


def main(length=64):
    keras.utils.set_random_seed(3)
    x, y = windows(512, length, seed=0)
    sanity = SpectralGate()(tf.constant(x[:4]))
    print("front end gives", sanity.shape)
    detector = build_detector(length)
    detector.compile("adam", "binary_crossentropy", metrics=["accuracy"])
    detector.fit(x, y, batch_size=64, epochs=5, verbose=0)
    xt, yt = windows(128, length, seed=1)
    loss, acc = detector.evaluate(xt, yt, batch_size=64, verbose=0)
    print(f"test loss {loss:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
