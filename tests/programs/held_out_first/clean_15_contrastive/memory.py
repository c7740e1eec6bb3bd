import tensorflow as tf


class NegativeQueue(tf.Module):
    """Ring buffer of earlier projections, kept in variables."""

    def __init__(self, size, dim):
        super().__init__()
        self.size = size
        self.items = tf.Variable(tf.math.l2_normalize(tf.random.normal([size, dim]), axis=1), trainable=False)
        self.head = tf.Variable(0, trainable=False)

    def push(self, rows):
        n = tf.shape(rows)[0]
        where = (self.head + tf.range(n)) % self.size
        self.items.scatter_nd_update(where[:, None], rows)
        self.head.assign((self.head + n) % self.size)
