"""Matrix factorisation for a toy catalogue, with a progress mixin."""
import numpy as np
import tensorflow as tf


class ProgressMixin:
    every = 10

    def announce(self, **values):
        text = "  ".join(f"{k}={v}" for k, v in values.items())
        print(f"[{type(self).__name__}] {text}")


class Factoriser(ProgressMixin, tf.Module):
    def __init__(self, users, items, rank=6, lr=0.05):
        super().__init__()
        init = tf.random_normal_initializer(stddev=0.1, seed=4)
        self.u = tf.Variable(init([users, rank]))
        self.v = tf.Variable(init([items, rank]))
        self.bias = tf.Variable(tf.zeros([items]))
        self.lr = lr

    def score(self, rows, cols):
        return (
            tf.reduce_sum(tf.gather(self.u, rows) * tf.gather(self.v, cols), axis=-1)
            + tf.gather(self.bias, cols)
        )

    def _descend(self, grads):
        for g, w in zip(grads, self.trainable_variables):
            w.assign_sub(self.lr * tf.convert_to_tensor(g))

    @tf.function
    def sweep(self, rows, cols, ratings):
        with tf.GradientTape() as tape:
            err = self.score(rows, cols) - ratings
            loss = tf.reduce_mean(tf.square(err))
        self._descend(tape.gradient(loss, self.trainable_variables))
        self.announce(mse=loss, worst=tf.reduce_max(tf.abs(err)))
        return loss


def ratings(users, items, n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(users, 3))
    b = rng.normal(size=(items, 3))
    r = rng.integers(0, users, n)
    c = rng.integers(0, items, n)
    return r.astype("int32"), c.astype("int32"), (a[r] * b[c]).sum(1).astype("float32")


if __name__ == "__main__":
    rows, cols, values = map(tf.constant, ratings(40, 25, 400))
    model = Factoriser(40, 25)
    for _ in range(12):
        last = model.sweep(rows, cols, values)
    print("final mse", float(last))
