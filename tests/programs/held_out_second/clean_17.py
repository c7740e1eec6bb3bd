"""Attributes are set in eager code between traces, but the graph reads Variables and arguments."""
import dataclasses

import numpy as np
import tensorflow as tf


@dataclasses.dataclass
class State:
    epoch: int = 0
    best: float = float("inf")
    log: list = dataclasses.field(default_factory=list)


class Fitter:
    def __init__(self):
        self.state = State()
        self.rate = tf.Variable(0.2, trainable=False)
        self.w = tf.Variable(tf.zeros([2, 1]))

    @tf.function
    def _step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - y))
        self.w.assign_sub(self.rate * tape.gradient(loss, self.w))
        return loss

    def epoch(self, batches):
        self.state.epoch += 1
        losses = [float(self._step(x, y)) for x, y in batches]
        mean = sum(losses) / len(losses)
        self.state.log.append(mean)
        if mean < self.state.best:
            self.state.best = mean
        else:
            self.rate.assign(self.rate * 0.5)
        return mean


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2)).astype("float32")
    y = x @ np.array([[1.0], [-1.0]], "float32")
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(20)
    fitter = Fitter()
    for _ in range(6):
        fitter.epoch(ds)
    print(fitter.state.epoch, "%.5f" % fitter.state.best, float(fitter.rate))


if __name__ == "__main__":
    main()
