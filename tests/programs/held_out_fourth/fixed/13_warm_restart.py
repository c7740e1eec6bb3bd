"""Learning-rate schedule with warm-up and cosine decay."""
import math

import numpy as np
import tensorflow as tf
import keras


class WarmCosine(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, peak, warmup, total):
        super().__init__()
        self.peak = peak
        self.warmup = warmup
        self.total = total

    def __call__(self, step):
        t = tf.cast(step, tf.float32) + 1.0
        done = tf.minimum(1.0, (t - self.warmup) / (self.total - self.warmup))
        decay = self.peak * 0.5 * (1.0 + tf.cos(math.pi * done))
        return tf.where(t < self.warmup, self.peak * t / self.warmup, decay)

    def get_config(self):
        return {"peak": self.peak, "warmup": self.warmup, "total": self.total}


def regression(n=512, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype("float32")
    w = np.arange(1.0, 6.0, dtype="float32")
    return x, (x @ w)[:, None]


def run(epochs=6, batch=32):
    x, y = regression()
    total = epochs * len(x) // batch
    model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(WarmCosine(0.1, warmup=total // 5, total=total)), "mse")
    history = model.fit(x, y, batch_size=batch, epochs=epochs, verbose=0).history["loss"]
    return history


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    for epoch, loss in enumerate(run()):
        print(f"epoch {epoch} loss {loss:.6f}")
