import tensorflow as tf


class RBF(tf.Module):
    """Squared exponential kernel, parameters in log space."""

    def __init__(self, length=1.0, variance=1.0):
        super().__init__()
        self.log_length = tf.Variable(tf.math.log(tf.constant(length, tf.float64)), name="log_length")
        self.log_var = tf.Variable(tf.math.log(tf.constant(variance, tf.float64)), name="log_var")

    def __call__(self, a, b):
        sq = tf.square(a[:, None, :] - b[None, :, :])
        d2 = tf.reduce_sum(sq, axis=-1) / tf.exp(2.0 * self.log_length)
        return tf.exp(self.log_var) * tf.exp(-0.5 * d2)
