"""Quantisation-aware training of a gesture-keypoint regressor for a microcontroller."""
from dataclasses import dataclass

import keras
import numpy as np
import tensorflow as tf


@dataclass(frozen=True)
class QuantSpec:
    bits: int = 4

    @property
    def levels(self):
        return 2 ** (self.bits - 1) - 1


def to_grid(values, spec):
    """Snap values to the signed integer grid and back, like the device does."""
    scale = tf.stop_gradient(tf.reduce_max(tf.abs(values))) / spec.levels + 1e-8
    codes = tf.clip_by_value(tf.round(values / scale), -spec.levels, spec.levels)
    return codes * scale


class QDense(keras.layers.Layer):
    def __init__(self, units, spec, activation=None, **kw):
        super().__init__(**kw)
        self.units = units
        self.spec = spec
        self.activation = keras.activations.get(activation)

    def build(self, input_shape):
        self.kernel = self.add_weight(
            name="kernel", shape=(input_shape[-1], self.units), initializer="glorot_uniform")
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def call(self, x):
        return self.activation(tf.matmul(x, to_grid(self.kernel, self.spec)) + self.bias)


class KeypointNet(keras.Model):
    def __init__(self, spec, n_points):
        super().__init__()
        self.trunk = [QDense(32, spec, "relu"), QDense(32, spec, "relu")]
        self.head = keras.layers.Dense(2 * n_points)

    def call(self, x):
        for layer in self.trunk:
            x = layer(x)
        return self.head(x)


def hand_data(n, n_points, seed=0):
    rng = np.random.default_rng(seed)
    imu = rng.normal(size=(n, 12)).astype("float32")
    mix = np.random.default_rng(99).normal(size=(12, 2 * n_points)) / 3.0
    return imu, np.sin(2.0 * imu @ mix).astype("float32")


def main():
    keras.utils.set_random_seed(8)
    x, y = hand_data(1024, n_points=3)
    net = KeypointNet(QuantSpec(bits=4), n_points=3)
    net.compile(optimizer=keras.optimizers.Adam(1e-2), loss="mse")
    hist = net.fit(x, y, batch_size=128, epochs=12, verbose=0)
    print("train mse", [round(v, 4) for v in hist.history["loss"][::3]])
    print("test mse %.4f" % net.evaluate(*hand_data(256, 3, seed=1), batch_size=128, verbose=0))


if __name__ == "__main__":
    main()
