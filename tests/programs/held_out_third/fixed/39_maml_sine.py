"""MAML on sinusoid regression, following the paper with one inner step.

First version was in PyTorch (with `higher`); this one is for the TF group.
"""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow import keras


class SineTask:
    def __init__(self, rng):
        self.amp = rng.uniform(0.5, 3.0)
        self.phase = rng.uniform(0, np.pi)
        self.rng = rng

    def batch(self, k):
        x = self.rng.uniform(-5, 5, size=(k, 1))
        y = self.amp * np.sin(x - self.phase)
        return tf.constant(x, tf.float32), tf.constant(y, tf.float32)


def make_net():
    return keras.Sequential([
        keras.Input((1,)),
        keras.layers.Dense(24, activation="relu"),
        keras.layers.Dense(24, activation="relu"),
        keras.layers.Dense(1),
    ])


class MAML:
    def __init__(self, inner_lr=0.01, outer_lr=1e-3, shots=10):
        self.meta = make_net()
        self.inner_lr = inner_lr
        self.shots = shots
        self.opt = keras.optimizers.Adam(outer_lr)
        self.opt.build(self.meta.trainable_variables)
        self.mse = keras.losses.MeanSquaredError()

    def adapt(self, x, y):
        """Inner step: fast <- meta - lr * grad."""
        with tf.GradientTape() as inner:
            loss = self.mse(y, self.meta(x))
        grads = inner.gradient(loss, self.meta.trainable_variables)
        fast = [slow - self.inner_lr * g for slow, g in zip(self.meta.trainable_variables, grads)]
        return loss, fast

    def forward(self, x, weights):
        """The network with given weights, so that the tape sees where they come from."""
        w1, b1, w2, b2, w3, b3 = weights
        h = tf.nn.relu(x @ w1 + b1)
        h = tf.nn.relu(h @ w2 + b2)
        return h @ w3 + b3

    @tf.function
    def meta_step(self, xs, ys, xq, yq):
        with tf.GradientTape() as outer:
            support_loss, fast = self.adapt(xs, ys)
            query_loss = self.mse(yq, self.forward(xq, fast))
        grads = outer.gradient(query_loss, self.meta.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.meta.trainable_variables))
        return support_loss, query_loss

    def evaluate(self, rng, n_tasks=20):
        pre, post = [], []
        for _ in range(n_tasks):
            task = SineTask(rng)
            xs, ys = task.batch(self.shots)
            xq, yq = task.batch(50)
            pre.append(float(self.mse(yq, self.meta(xq))))
            _, fast = self.adapt(xs, ys)
            post.append(float(self.mse(yq, self.forward(xq, fast))))
        return np.mean(pre), np.mean(post)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iterations", type=int, default=200)
    ap.add_argument("--shots", type=int, default=10)
    ap.add_argument("--log-every", type=int, default=50)
    ns = ap.parse_args()
    keras.utils.set_random_seed(8)
    rng = np.random.default_rng(8)
    maml = MAML(shots=ns.shots)
    running = []
    for it in range(ns.iterations):
        task = SineTask(rng)
        _, q = maml.meta_step(*task.batch(ns.shots), *task.batch(ns.shots))
        running.append(float(q))
        if (it + 1) % ns.log_every == 0:
            print(f"{it + 1:5d} query loss {np.mean(running[-ns.log_every:]):.3f}")
    print("before / after adaptation: %.3f / %.3f" % maml.evaluate(rng))


if __name__ == "__main__":
    main()
