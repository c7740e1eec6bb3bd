"""Trains a polynomial regressor and stops hard when the loss explodes."""
import functools

import numpy as np
import tensorflow as tf


class Diverged(RuntimeError):
    pass


def guarded(limit):
    """Wraps a loss so that a run which blew up is noticed early."""

    def deco(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            value = fn(*args, **kwargs)
            if value > limit:
                raise Diverged(f"loss exceeded {limit}")
            return value

        return wrapper

    return deco


class Poly(tf.Module):
    def __init__(self, degree):
        super().__init__()
        self.coef = tf.Variable(tf.zeros([degree + 1]))
        self.powers = tf.range(degree + 1, dtype=tf.float32)

    def __call__(self, x):
        return tf.reduce_sum(self.coef * x[:, None] ** self.powers, axis=1)


model = Poly(3)


@guarded(limit=1e4)
def objective(x, y):
    return tf.reduce_mean(tf.square(model(x) - y))


@tf.function
def step(x, y, lr):
    with tf.GradientTape() as tape:
        loss = objective(x, y)
    model.coef.assign_sub(lr * tape.gradient(loss, model.coef))
    return loss


def main():
    rng = np.random.default_rng(12)
    x = rng.uniform(-1, 1, 200).astype("float32")
    y = (1 - 2 * x + 0.5 * x**3).astype("float32")
    lr = tf.constant(0.2)
    for i in range(40):
        loss = step(tf.constant(x), tf.constant(y), lr)
    print("loss", float(loss), "coef", np.round(model.coef.numpy(), 2))


if __name__ == "__main__":
    main()
