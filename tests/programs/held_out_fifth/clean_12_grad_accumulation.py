"""Gradient accumulation over micro-batches; all state lives in variables."""
import numpy as np
import tensorflow as tf


class Accumulator(tf.Module):
    def __init__(self, variables, every):
        super().__init__()
        self.vars = variables
        self.every = every
        self.sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
        self.count = tf.Variable(0, trainable=False)
        self.applied = tf.Variable(0, trainable=False)

    def add(self, grads):
        for s, g in zip(self.sums, grads):
            s.assign_add(g)
        self.count.assign_add(1)

    def flush(self, lr):
        for s, v in zip(self.sums, self.vars):
            v.assign_sub(lr * s / tf.cast(self.count, tf.float32))
            s.assign(tf.zeros_like(s))
        self.count.assign(0)
        self.applied.assign_add(1)


w = tf.Variable(tf.zeros([5, 1]))
b = tf.Variable(tf.zeros([1]))
acc = Accumulator([w, b], every=4)


@tf.function
def micro_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w + b - y))
    acc.add(tape.gradient(loss, [w, b]))
    if acc.count >= acc.every:
        acc.flush(0.1)
    return loss


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(320, 5)).astype("float32")
    y = x @ np.array([[1.0], [-1.0], [0.5], [0.0], [2.0]], "float32") + 0.3
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat(4)
    for xb, yb in ds:
        loss = micro_step(xb, yb)
    print("loss", float(loss), "updates", int(acc.applied), "pending", int(acc.count))


if __name__ == "__main__":
    main()
