"""House price regression with a scaler that is kept next to the model."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


def load(n=256, seed=0):
    rng = np.random.default_rng(seed)
    area = rng.uniform(30, 250, size=n)
    rooms = rng.integers(1, 8, size=n)
    age = rng.uniform(0, 90, size=n)
    x = np.stack([area, rooms, age], axis=1)
    y = 2.1 * area + 11.0 * rooms - 0.6 * age + rng.normal(size=n) * 4
    return x, y[:, None]


@dataclass
class Scaler:
    data: np.ndarray
    eps: float = 1e-6

    @property
    def center(self):
        return tf.constant(self.data.mean(axis=0), tf.float32)

    @property
    def spread(self):
        return tf.constant(self.data.std(axis=0) + self.eps, tf.float32)

    def forward(self, x):
        return (x - self.center) / self.spread

    def backward(self, z):
        return z * self.spread + self.center


class PriceModel(tf.Module):
    def __init__(self, x_scaler, y_scaler):
        super().__init__()
        self.x_scaler = x_scaler
        self.y_scaler = y_scaler
        self.w = tf.Variable(tf.zeros([3, 1]))
        self.b = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        z = self.x_scaler.forward(x)
        return tf.matmul(z, self.w) + self.b


def make_step(model, lr):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            goal = model.y_scaler.forward(y)
            loss = tf.reduce_mean(tf.square(model(x) - goal))
        for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
            v.assign_sub(lr * g)
        return loss
    return step


def main():
    x, y = load()
    model = PriceModel(Scaler(x), Scaler(y))
    step = make_step(model, lr=0.1)
    ds = tf.data.Dataset.from_tensor_slices((x.astype("float32"), y.astype("float32"))).batch(64)
    for epoch in range(5):
        for bx, by in ds:
            loss = step(bx, by)
        print("epoch", epoch, "loss %.4f" % float(loss))
    price = model.y_scaler.backward(model(tf.constant([[100.0, 3.0, 10.0]])))
    print("price %.1f" % float(price[0, 0]))


if __name__ == "__main__":
    main()
