import tensorflow as tf


class Logistic(tf.Module):
    def __init__(self, dim):
        super().__init__(name="logistic")
        self.w = tf.Variable(tf.zeros([dim, 1]))
        self.b = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        return x @ self.w + self.b
