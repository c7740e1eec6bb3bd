"""Gradient descent with a backtracking line search."""
import tensorflow as tf


class Problem:
    def __init__(self, matrix, offset):
        self.matrix = matrix
        self.offset = offset

    def value(self, x):
        return 0.5 * tf.tensordot(x, tf.linalg.matvec(self.matrix, x), 1) - tf.tensordot(self.offset, x, 1)

    def value_and_slope(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = self.value(x)
        return value, tape.gradient(value, x)


class Backtracking:
    def __init__(self, shrink=0.5, tolerance=1e-4, trials=20):
        self.shrink, self.tolerance, self.trials = shrink, tolerance, trials

    def find(self, problem, x, value, slope):
        rate = tf.constant(1.0)
        squared = tf.tensordot(slope, slope, 1)
        for _ in tf.range(self.trials):
            if problem.value(x - rate * slope) <= value - self.tolerance * rate * squared:
                return rate
            rate = rate * self.shrink
        return tf.constant(0.0)


def descend(problem, search):
    @tf.function
    def iterate(x):
        value, slope = problem.value_and_slope(x)
        rate = search.find(problem, x, value, slope)
        return x - rate * slope, value

    return iterate


def main():
    tf.random.set_seed(26)
    a = tf.random.normal([6, 6])
    problem = Problem(a @ tf.transpose(a) + 0.1 * tf.eye(6), tf.random.normal([6]))
    iterate = descend(problem, Backtracking())
    x = tf.zeros([6])
    for i in range(15):
        x, value = iterate(x)
    print("value %.4f" % float(value))


main()
