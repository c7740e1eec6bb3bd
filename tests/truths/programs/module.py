"""A tf.Module that makes its variables once, when it is first called."""

import tensorflow as tf


class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = None

    @tf.function
    def __call__(self, x):
        if self.weight is None:
            self.weight = tf.Variable(tf.ones([x.shape[-1], 2]))
        return x @ self.weight


layer = Linear()
for _ in range(3):
    layer(tf.ones([4, 3]))
