"""Values that change every epoch reach the compiled step as tensors; the mode as a bool."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Plan:
    epochs: int = 6
    lr: float = 0.3
    noise: float = 0.5

    def __iter__(self):
        for epoch in range(self.epochs):
            part = epoch / self.epochs
            yield epoch, self.lr * 0.5 ** epoch, self.noise * (1.0 - part)


class Ridge(tf.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = tf.Variable(tf.zeros([dim, 1]))

    def loss(self, x, y, l2=1e-3):
        return tf.reduce_mean(tf.square(x @ self.w - y)) + l2 * tf.reduce_sum(tf.square(self.w))

    @tf.function
    def run(self, x, y, lr, noise, learn):
        if learn:
            x = x + noise * tf.random.normal(tf.shape(x))
            with tf.GradientTape() as tape:
                loss = self.loss(x, y)
            self.w.assign_sub(lr * tape.gradient(loss, self.w))
        else:
            loss = self.loss(x, y, l2=0.0)
        return loss


def main():
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(96, 4)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    train = tf.data.Dataset.from_tensor_slices((x[:64], y[:64])).batch(16)
    held = tf.constant(x[64:80]), tf.constant(y[64:80])
    model = Ridge(4)
    for epoch, lr, noise in Plan():
        lr, noise = tf.constant(lr, tf.float32), tf.constant(noise, tf.float32)
        for bx, by in train:
            loss = model.run(bx, by, lr, noise, learn=True)
        valid = model.run(*held, lr, noise, learn=False)
        print("epoch %d lr %.4f train %.3f valid %.3f" % (epoch, float(lr), float(loss), float(valid)))
    print("graphs:", model.run.experimental_get_tracing_count())


if __name__ == "__main__":
    main()
