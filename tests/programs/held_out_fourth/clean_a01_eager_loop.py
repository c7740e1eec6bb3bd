"""Linear regression with an eager training loop and a plain history."""
import time

import numpy as np
import tensorflow as tf


class History(list):
    def log(self, step, loss, seconds):
        self.append({"step": step, "loss": loss, "seconds": seconds})
        print(f"step {step:3d} loss {loss:.5f}")


def make_data(n=200, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)).astype("float32")
    return x, x @ np.array([[1.0], [-2.0], [0.5]], "float32")


class Linear(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.w = tf.Variable(tf.zeros([n, 1]))

    def __call__(self, x):
        return x @ self.w


def train(model, x, y, steps=60, lr=0.1):
    history = History()
    begin = time.time()
    for step in range(steps):
        pick = np.random.randint(0, len(x), 32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x[pick]) - y[pick]))
        model.w.assign_sub(lr * tape.gradient(loss, model.w))
        if step % 20 == 0:
            history.log(step, float(loss), time.time() - begin)
        if loss < 1e-6:
            print("converged")
            break
    return history


if __name__ == "__main__":
    np.random.seed(0)
    x, y = make_data()
    model = Linear(3)
    history = train(model, x, y)
    print("weights", model.w.numpy().ravel().round(3), "entries", len(history))
