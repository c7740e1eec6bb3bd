"""Lazy Variables: created at the first call only."""
import numpy as np
import tensorflow as tf


class LazyDense(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.w = None

    @tf.function
    def __call__(self, x):
        if self.w is None:
            self.w = tf.Variable(tf.random.stateless_normal([x.shape[-1], self.units], [1, 2]), name="w")
            self.calls = tf.Variable(0, trainable=False)
        self.calls.assign_add(1)
        return tf.nn.relu(x @ self.w)


def main():
    layer = LazyDense(3)
    for _ in range(4):
        y = layer(tf.constant(np.ones((2, 5), "float32")))
    print(y.shape, int(layer.calls))


if __name__ == "__main__":
    main()
