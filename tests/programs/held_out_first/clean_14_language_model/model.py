import tensorflow as tf


class TinyLM(tf.Module):
    def __init__(self, vocab, dim, seed=14):
        super().__init__()
        init = tf.random_normal_initializer(0.0, 0.3, seed=seed)
        self.table = tf.Variable(init([vocab, dim]))
        self.out = tf.Variable(init([dim, vocab]))

    def logits(self, ids):
        return tf.gather(self.table, ids) @ self.out
