import tensorflow as tf


class Embedding(tf.Module):
    def __init__(self, size, width, rng):
        super().__init__()
        self.table = tf.Variable(rng.normal([size, width]) * 0.3, name="table")

    def __call__(self, ids):
        return tf.gather(self.table, ids)


class TiedHead(tf.Module):
    """Projects to the vocabulary with the transposed embedding table."""

    def __init__(self, embedding):
        super().__init__()
        self.embedding = embedding
        self.bias = tf.Variable(tf.zeros([embedding.table.shape[0]]), name="bias")

    def __call__(self, x):
        return tf.matmul(x, self.embedding.table, transpose_b=True) + self.bias
