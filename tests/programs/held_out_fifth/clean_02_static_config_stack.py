"""Residual MLP described by a fixed configuration; Python loops build a small static graph."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass(frozen=True)
class Config:
    depth: int = 3
    width: int = 12
    scale: float = 0.5
    activation: str = "tanh"


CFG = Config()
ACTS = {"tanh": tf.tanh, "relu": tf.nn.relu}


class Stack(tf.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.inp = tf.Variable(tf.random.stateless_normal([4, cfg.width], [0, 1]) * 0.4)
        self.mid = [
            tf.Variable(tf.random.stateless_normal([cfg.width, cfg.width], [i, 2]) * 0.2) for i in range(cfg.depth)
        ]
        self.out = tf.Variable(tf.zeros([cfg.width, 1]))

    def __call__(self, x):
        act = ACTS[self.cfg.activation]
        h = x @ self.inp
        skips = []
        for i in range(self.cfg.depth):
            h = h + self.cfg.scale * act(h @ self.mid[i])
            skips.append(h)
        if len(skips) > 1:
            h = tf.add_n(skips) / len(skips)
        return h @ self.out


model = Stack(CFG)


@tf.function
def step(x, y):
    rank = len(x.shape)
    assert rank == 2, f"expected a matrix, got rank {rank}"
    if x.shape[-1] != 4:
        raise ValueError(f"expected 4 features, got {x.shape[-1]}")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, grads):
        v.assign_sub(0.05 * g)
    return loss


def main():
    rng = np.random.default_rng(1)
    x = tf.constant(rng.normal(size=(64, 4)), tf.float32)
    y = tf.reduce_sum(x**2, axis=1, keepdims=True)
    losses = [step(x, y) for _ in range(25)]
    print("first", float(losses[0]), "last", float(losses[-1]))


if __name__ == "__main__":
    main()
