"""A variable whose first value comes from an argument: TensorFlow catches its own exception."""

import tensorflow as tf


class Mean(tf.Module):
    def __init__(self):
        super().__init__()
        self.value = None

    @tf.function
    def __call__(self, x):
        if self.value is None:
            self.value = tf.Variable(tf.reduce_mean(x))
        return x * self.value


mean = Mean()
for _ in range(3):
    mean(tf.ones([3]))
