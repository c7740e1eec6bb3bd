import tensorflow as tf


class Policy(tf.Module):
    def __init__(self, arms):
        super().__init__()
        self.logits = tf.Variable(tf.zeros([arms]))

    def draw(self):
        return tf.random.categorical(self.logits[None], 1, dtype=tf.int32)[0, 0]

    def log_prob(self, arm):
        return tf.nn.log_softmax(self.logits)[arm]
