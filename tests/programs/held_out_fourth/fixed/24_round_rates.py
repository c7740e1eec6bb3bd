"""Pseudo-labelling in rounds, each one with a smaller learning rate."""
import contextlib
import time

import keras
import numpy as np


@contextlib.contextmanager
def stopwatch(label, log):
    start = time.perf_counter()
    try:
        yield
    finally:
        log[label] = time.perf_counter() - start


def blobs(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=n)
    centers = np.array([[0, 2], [2, -1], [-2, -1]], dtype="float32")
    x = centers[y] + rng.normal(size=(n, 2)).astype("float32") * 0.7
    return x.astype("float32"), y


def build():
    return keras.Sequential([
        keras.Input((2,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(3, activation="softmax"),
    ])


def rates(start, factor, rounds):
    lr = start
    for _ in range(rounds):
        yield lr
        lr *= factor


class PseudoLabeller:
    def __init__(self, model, threshold=0.9):
        self.model = model
        self.threshold = threshold
        self.times = {}

    def pick(self, pool):
        probs = self.model.predict(pool, verbose=0)
        keep = probs.max(axis=1) > self.threshold
        return pool[keep][:32], probs.argmax(axis=1)[keep][:32]

    def run(self, x, y, pool, rounds=5):
        self.model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
        for i, lr in enumerate(rates(0.05, 0.7, rounds)):
            with stopwatch("round%d" % i, self.times):
                self.model.optimizer.learning_rate = lr
                hist = self.model.fit(x, y, batch_size=32, epochs=1, verbose=0)
                new_x, new_y = self.pick(pool)
                x, y = np.concatenate([x, new_x]), np.concatenate([y, new_y])
            print("round", i, "lr %.4f" % lr, "acc %.3f" % hist.history["accuracy"][-1])
        return x, y


def main():
    keras.utils.set_random_seed(0)
    x, y = blobs(96, 0)
    pool, _ = blobs(256, 1)
    runner = PseudoLabeller(build())
    x, _ = runner.run(x, y, pool)
    print("examples", len(x), "seconds %.2f" % sum(runner.times.values()))


if __name__ == "__main__":
    main()
