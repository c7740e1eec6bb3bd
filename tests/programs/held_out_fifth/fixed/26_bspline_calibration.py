"""Calibrates a monotone sensor curve with a B-spline basis (Cox-de Boor)."""
import numpy as np
import tensorflow as tf


class SplineBasis:
    def __init__(self, count=9, degree=3):
        inner = np.linspace(0.0, 1.0, count - degree + 1)
        pad = np.ones(degree)
        self.knots = np.concatenate([0.0 * pad, inner, pad + 1e-6]).tolist()
        self.count, self.degree = count, degree

    def _ramp(self, x, i, j, rising):
        lo, hi = self.knots[i], self.knots[j]
        if hi - lo < 1e-9:
            return tf.zeros_like(x)
        return (x - lo) / (hi - lo) if rising else (hi - x) / (hi - lo)

    def _element(self, x, i, degree):
        if degree == 0:
            inside = tf.logical_and(x >= self.knots[i], x < self.knots[i + 1])
            return tf.cast(inside, x.dtype)
        left = self._ramp(x, i, i + degree, True) * self._element(x, i, degree - 1)
        right = self._ramp(x, i + 1, i + degree + 1, False) * self._element(x, i + 1, degree - 1)
        return left + right

    @tf.function
    def design(self, x):
        return tf.stack([self._element(x, i, self.degree) for i in range(self.count)], axis=1)


class Calibration(tf.Module):
    def __init__(self, basis):
        super().__init__()
        self.basis = basis
        self.coef = tf.Variable(tf.zeros([basis.count]))

    def __call__(self, x):
        return tf.linalg.matvec(self.basis.design(x), self.coef)

    def fit(self, x, y, steps=12, lr=2.0):
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self(x) - y))
            self.coef.assign_sub(lr * tape.gradient(loss, self.coef))
        return float(loss)


def main():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(size=80)).astype("float32")
    y = np.tanh(4 * x - 2).astype("float32")
    model = Calibration(SplineBasis())
    print("loss", model.fit(tf.constant(x), tf.constant(y)))
    print("partition of unity", float(tf.reduce_min(tf.reduce_sum(model.basis.design(tf.constant(x)), 1))))


if __name__ == "__main__":
    main()
