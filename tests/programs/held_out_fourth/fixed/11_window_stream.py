"""Forecasting of a series from an endless stream of windows."""
import numpy as np
import tensorflow as tf
import keras


def windows(series, width, batch, seed=0):
    rng = np.random.default_rng(seed)
    while True:
        starts = rng.integers(0, len(series) - width - 1, batch)
        x = np.stack([series[s:s + width] for s in starts])
        y = np.stack([series[s + width] for s in starts])[:, None]
        yield x.astype("float32"), y.astype("float32")


class Forecaster:
    def __init__(self, stream, width):
        self.stream = stream
        self.model = keras.Sequential([keras.Input((width,)),
                                       keras.layers.Dense(32, activation="tanh"),
                                       keras.layers.Dense(1)])
        self.optimizer = keras.optimizers.Adam(5e-3)

    @tf.function
    def update(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train(self, steps):
        for step in range(steps):
            loss = self.update(*next(self.stream))
            if step % 100 == 99:
                print(f"step {step + 1} train {float(loss):.5f}")

    def test(self, stream, rounds=20):
        errors = []
        for _, (x, y) in zip(range(rounds), stream):
            errors.append(float(tf.reduce_mean(tf.square(self.model(x) - y))))
        return np.mean(errors)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    t = np.arange(2000)
    series = np.sin(t / 7.0) + 0.5 * np.sin(t / 3.1)
    forecaster = Forecaster(windows(series, 12, 4), 12)
    forecaster.train(500)
    print(f"test {forecaster.test(windows(series, 12, 64, seed=9)):.5f}")
