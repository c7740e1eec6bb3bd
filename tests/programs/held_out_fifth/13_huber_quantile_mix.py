"""Robust regression: clip the residual scale once the batch shows outliers."""
import numpy as np
import tensorflow as tf


def mad(values):
    """Median absolute deviation of a vector."""
    mid = tf.shape(values)[0] // 2
    centre = tf.sort(values)[mid]
    return tf.sort(tf.abs(values - centre))[mid]


class RobustLoss:
    def __init__(self, limit=3.0):
        self.limit = limit

    def _scale(self, r):
        spread = mad(r)
        outliers = tf.reduce_sum(tf.cast(tf.abs(r) > self.limit * spread, tf.int32))
        if outliers > 0:
            delta = self.limit * spread
            capped = tf.clip_by_value(r, -delta, delta)
        else:
            capped = r
        linear = tf.abs(r) - tf.abs(capped)
        return capped, delta * linear

    def __call__(self, y, pred):
        capped, extra = self._scale(y - pred)
        return tf.reduce_mean(0.5 * tf.square(capped) + extra)


class Linear(tf.Module):
    def __init__(self, d):
        super().__init__()
        self.w = tf.Variable(tf.zeros([d]))
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return tf.linalg.matvec(x, self.w) + self.b


def make_data(n=400, d=5):
    rng = np.random.default_rng(21)
    x = rng.normal(size=(n, d)).astype("float32")
    y = x @ rng.normal(size=d).astype("float32")
    y[::40] += 30.0
    return x, y


def train(epochs=10):
    x, y = make_data()
    model, loss_fn = Linear(x.shape[1]), RobustLoss()

    @tf.function
    def step(xb, yb):
        with tf.GradientTape() as tape:
            loss = loss_fn(yb, model(xb))
        for g, v in zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables):
            v.assign_sub(0.1 * g)
        return loss

    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(100)
    for epoch in range(epochs):
        for xb, yb in ds:
            loss = step(xb, yb)
    print("loss", float(loss))


if __name__ == "__main__":
    train()
