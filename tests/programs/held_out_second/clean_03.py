"""Random features: the projection is drawn once by NumPy, on purpose."""
import numpy as np
import tensorflow as tf


class RandomFeatures(tf.keras.layers.Layer):
    def __init__(self, count, scale=1.0, seed=0, **kwargs):
        super().__init__(**kwargs)
        self.count, self.scale, self.seed = count, scale, seed

    def build(self, shape):
        rng = np.random.default_rng(self.seed)
        self.omega = tf.constant(rng.normal(0, self.scale, (shape[-1], self.count)), tf.float32)
        self.phase = tf.constant(rng.uniform(0, 2 * np.pi, self.count), tf.float32)

    def call(self, x):
        return tf.sqrt(2.0 / self.count) * tf.cos(x @ self.omega + self.phase)


def main():
    tf.keras.utils.set_random_seed(0)
    x = np.random.uniform(-2, 2, (128, 1)).astype("float32")
    y = np.sin(3 * x)
    model = tf.keras.Sequential([tf.keras.Input((1,)), RandomFeatures(32, 2.0), tf.keras.layers.Dense(1)])
    model.compile(optimizer=tf.keras.optimizers.Adam(0.05), loss="mse")
    history = model.fit(x, y, epochs=10, batch_size=32, verbose=0)
    print("mse %.4f" % history.history["loss"][-1])


if __name__ == "__main__":
    main()
