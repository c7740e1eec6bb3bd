"""Fit the hyperparameters of a Gaussian process with a tiny optimiser front end."""
import numpy as np
import tensorflow as tf

JITTER = 1e-4


def rbf(a, b, log_len, log_amp):
    d = tf.square(a[:, None] - b[None, :])
    return tf.exp(2.0 * log_amp) * tf.exp(-0.5 * d / tf.exp(2.0 * log_len))


class GPRegression(tf.Module):
    def __init__(self, x, y):
        super().__init__()
        self.x = tf.constant(x, tf.float32)
        self.y = tf.constant(y, tf.float32)
        self.log_len = tf.Variable(0.0)
        self.log_amp = tf.Variable(0.0)
        self.log_noise = tf.Variable(-1.0)

    def nll(self):
        n = self.x.shape[0]
        k = rbf(self.x, self.x, self.log_len, self.log_amp)
        k += (tf.exp(2.0 * self.log_noise) + JITTER) * tf.eye(n)
        chol = tf.linalg.cholesky(k)
        alpha = tf.linalg.cholesky_solve(chol, self.y[:, None])
        fit = 0.5 * tf.reduce_sum(self.y[:, None] * alpha)
        return fit + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))


class Minimiser:
    """Hides the tape from the user; compiles the objective on demand."""

    def __init__(self, optimizer, compiled=True):
        self.optimizer = optimizer
        self.compiled = compiled

    def _with_grads(self, objective, variables):
        def value_and_grads():
            with tf.GradientTape() as tape:
                value = objective()
            return value, tape.gradient(value, variables)

        return value_and_grads

    def step(self, fn, variables):
        value, grads = fn()
        self.optimizer.apply_gradients(zip(grads, variables))
        return value

    def run(self, objective, variables, steps):
        fn = self._with_grads(objective, variables)
        if self.compiled:
            fn = tf.function(fn)
        trail = []
        for _ in range(steps):
            trail.append(float(self.step(fn, variables)))
        return trail


def main():
    rng = np.random.default_rng(0)
    x = np.linspace(0.0, 4.0, 30)
    y = np.sin(2.0 * x) + 0.1 * rng.normal(size=x.shape)
    gp = GPRegression(x, y)
    trail = Minimiser(tf.keras.optimizers.Adam(0.05)).run(gp.nll, gp.trainable_variables, steps=25)
    print("first", round(trail[0], 3), "last", round(trail[-1], 3))
    print("length scale", float(tf.exp(gp.log_len)))


if __name__ == "__main__":
    main()
