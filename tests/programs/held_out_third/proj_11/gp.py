import math

import tensorflow as tf

from linalg import safe_cholesky


class GPRegression(tf.Module):
    def __init__(self, kernel, noise=1e-12, learn_noise=False):
        super().__init__()
        self.kernel = kernel
        self.log_noise = tf.Variable(math.log(noise), dtype=tf.float64, trainable=learn_noise)

    def _factor(self, x):
        n = tf.shape(x)[0]
        k = self.kernel(x, x) + tf.exp(self.log_noise) * tf.eye(n, dtype=tf.float64)
        return safe_cholesky(k)

    def nll(self, x, y):
        chol = self._factor(x)
        alpha = tf.linalg.cholesky_solve(chol, y)
        fit = 0.5 * tf.reduce_sum(y * alpha)
        logdet = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))
        n = tf.cast(tf.shape(x)[0], tf.float64)
        return (fit + logdet + 0.5 * n * math.log(2 * math.pi)) / n

    def predict(self, x, y, x_new):
        chol = self._factor(x)
        k_star = self.kernel(x, x_new)
        mean = tf.matmul(k_star, tf.linalg.cholesky_solve(chol, y), transpose_a=True)
        v = tf.linalg.triangular_solve(chol, k_star)
        var = tf.exp(self.kernel.log_var) - tf.reduce_sum(tf.square(v), axis=0)
        return mean[:, 0], var
