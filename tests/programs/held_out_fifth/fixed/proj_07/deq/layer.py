import tensorflow as tf

from .solver import fixed_point


class FixedPointLayer(tf.Module):
    def __init__(self, n_in, n_state):
        super().__init__()
        self.u = tf.Variable(tf.random.stateless_normal([n_in, n_state], [1, 0]) * 0.4)
        self.w = tf.Variable(tf.random.stateless_normal([n_state, n_state], [2, 0]) * 0.1)
        self.r = tf.Variable(tf.random.stateless_normal([n_state, 1], [3, 0]) * 0.4)

    def cell(self, x):
        drive = x @ self.u
        return lambda z: tf.tanh(z @ self.w + drive)

    def __call__(self, x):
        f = self.cell(x)
        z = tf.stop_gradient(fixed_point(f, tf.zeros([x.shape[0], self.w.shape[0]])))
        return f(z) @ self.r
