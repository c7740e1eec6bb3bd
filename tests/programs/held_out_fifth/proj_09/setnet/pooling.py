import tensorflow as tf


class AttentionPool(tf.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = tf.Variable(tf.random.stateless_normal([dim], [4, 4]) * 0.3)
        self.last_weights = None

    def __call__(self, h):
        logits = tf.tensordot(h, self.query, 1)
        self.last_weights = tf.nn.softmax(logits, axis=1)
        return tf.reduce_sum(h * self.last_weights[..., None], axis=1)
