import tensorflow as tf

from .surrogate import spike


class SpikeNet(tf.Module):
    def __init__(self, n_in, n_hidden, leak=0.9):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([n_in, n_hidden], [1, 1]) * 0.5)
        self.r = tf.Variable(tf.random.stateless_normal([n_hidden, 1], [2, 2]) * 0.5)
        self.leak = leak

    def __call__(self, x, steps=5):
        v = tf.zeros([tf.shape(x)[0], self.w.shape[1]])
        rate = tf.zeros_like(v)
        for _ in range(steps):
            v = self.leak * v + x @ self.w
            s = spike(v - 1.0)
            rate += s
            v -= s
        return rate / steps @ self.r
