"""Replay stream: NumPy randomness inside a Python generator behind from_generator."""
import itertools

import numpy as np
import tensorflow as tf


class Replay:
    def __init__(self, capacity=200, seed=0):
        self.rng = np.random.default_rng(seed)
        self.items = []
        self.capacity = capacity
        self.served = 0

    def add(self, obs, reward):
        self.items.append((obs, reward))
        if len(self.items) > self.capacity:
            self.items.pop(0)

    def stream(self):
        while True:
            i = int(self.rng.integers(len(self.items)))
            self.served += 1
            yield self.items[i]

    def dataset(self, batch):
        return tf.data.Dataset.from_generator(
            self.stream,
            output_signature=(tf.TensorSpec([4], tf.float32), tf.TensorSpec([], tf.float32)),
        ).batch(batch, drop_remainder=True)


w = tf.Variable(tf.zeros([4]))


@tf.function
def update(obs, reward):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.linalg.matvec(obs, w) - reward))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def main():
    replay = Replay()
    env = np.random.default_rng(1)
    ticks = itertools.count()
    for _ in range(60):
        o = env.normal(size=4).astype("float32")
        replay.add(o, np.float32(o[0] - o[1]))
    batches = iter(replay.dataset(16))
    while next(ticks) < 25:
        obs, reward = next(batches)
        loss = update(obs, reward)
        replay.add(env.normal(size=4).astype("float32"), np.float32(0.0))
    print("loss", float(loss), "items", len(replay.items), "served at least", replay.served >= 400)


if __name__ == "__main__":
    main()
