"""Running normaliser that makes its variables on the first call."""
import numpy as np
import tensorflow as tf


class Running(tf.Module):
    def __init__(self, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.mean = None
        self.var = None

    def _build(self, width):
        self.mean = tf.Variable(tf.zeros([width]), trainable=False)
        self.var = tf.Variable(tf.ones([width]), trainable=False)

    @tf.function
    def __call__(self, x, update=True):
        if self.mean is None:
            self._build(x.shape[-1])
        if update:
            m, v = tf.nn.moments(x, axes=[0])
            for old, new in ((self.mean, m), (self.var, v)):
                old.assign(self.momentum * old + (1.0 - self.momentum) * new)
        return (x - self.mean) / tf.sqrt(self.var + 1e-5)


def stream(n=60, batch=32, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        yield tf.constant(rng.normal(3.0, 2.0, (batch, 4)), tf.float32)


if __name__ == "__main__":
    norm = Running()
    for i, x in enumerate(stream()):
        out = norm(x)
        if i % 20 == 0:
            print(f"batch {i} mean of output {float(tf.reduce_mean(out)):.3f}")
    held = norm(next(stream(1, seed=7)), update=False)
    print("mean", norm.mean.numpy().round(1), "std", np.sqrt(norm.var.numpy()).round(1))
    print("held out", round(float(tf.math.reduce_std(held)), 2))
