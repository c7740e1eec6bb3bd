"""Running normaliser whose statistics are created on first use."""
import numpy as np
import tensorflow as tf


class RunningNorm(tf.Module):
    def __init__(self, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.mean = None
        self.var = None

    @tf.function
    def __call__(self, x):
        if self.mean is None:
            self.mean = tf.Variable(tf.zeros([x.shape[-1]]), trainable=False)
            self.var = tf.Variable(tf.ones([x.shape[-1]]), trainable=False)
        m, v = tf.nn.moments(x, axes=[0])
        self.mean.assign(self.momentum * self.mean + (1 - self.momentum) * m)
        self.var.assign(self.momentum * self.var + (1 - self.momentum) * v)
        return (x - self.mean) / tf.sqrt(self.var + 1e-5)


class LazyDense(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self._params = {}

    def _param(self, name, shape):
        if name not in self._params:
            self._params[name] = tf.Variable(tf.random.stateless_normal(shape, [7, len(self._params)]) * 0.1, name=name)
        return self._params[name]

    def __call__(self, x):
        w = self._param("w", [x.shape[-1], self.units])
        b = self._param("b", [self.units])
        return x @ w + b


norm, dense = RunningNorm(), LazyDense(2)


@tf.function
def forward(x):
    return dense(x)


def main():
    rng = np.random.default_rng(0)
    for i in range(5):
        x = tf.constant(3.0 + 2.0 * rng.normal(size=(32, 4)), tf.float32)
        out = forward(norm(x))
    print("mean", norm.mean.numpy(), "out", out.shape, "params", sorted(dense._params))


if __name__ == "__main__":
    main()
