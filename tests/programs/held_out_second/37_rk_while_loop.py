"""Adaptive step-size integrator of a damped oscillator, as a tf.while_loop."""
import numpy as np
import tensorflow as tf

FREQ, DAMP = 2.0, 0.1


def derivative(y):
    return tf.stack([y[1], -FREQ ** 2 * y[0] - DAMP * y[1]])


def euler(y, h):
    return y + h * derivative(y)


def heun(y, h):
    k1 = derivative(y)
    k2 = derivative(y + h * k1)
    return y + 0.5 * h * (k1 + k2)


def adapt(h, error, tolerance):
    if error > tolerance:
        return h * 0.5
    return tf.minimum(h * 1.2, 0.2)


class AdaptiveSolver:
    def __init__(self, tolerance=1e-3, most=400):
        self.tolerance = tolerance
        self.most = most

    def keep_going(self, t, y, h, n, end):
        return tf.logical_and(t < end, n < self.most)

    def advance(self, t, y, h, n, end):
        h = tf.minimum(h, end - t)
        better = heun(y, h)
        error = tf.reduce_max(tf.abs(better - euler(y, h)))
        accept = error <= self.tolerance
        new_h = adapt(h, error, self.tolerance)
        return tf.where(accept, t + h, t), tf.where(accept, better, y), new_h, n + 1, end

    @tf.function
    def solve(self, y0, end):
        state = (tf.constant(0.0), y0, tf.constant(0.05), tf.constant(0), end)
        t, y, _, n, _ = tf.while_loop(self.keep_going, self.advance, state)
        return t, y, n


def exact(end):
    w = np.sqrt(FREQ ** 2 - DAMP ** 2 / 4)
    return np.exp(-DAMP * end / 2) * (np.cos(w * end) + DAMP / 2 / w * np.sin(w * end))


def main():
    solver = AdaptiveSolver()
    for end in (0.5, 1.0, 2.0):
        t, y, n = solver.solve(tf.constant([1.0, 0.0]), tf.constant(end))
        print("t %.2f y %.4f exact %.4f steps %d" % (float(t), float(y[0]), exact(end), int(n)))


if __name__ == "__main__":
    main()
