"""Gradient descent with a backtracking (Armijo) line search."""
from collections import namedtuple

import tensorflow as tf

Search = namedtuple("Search", "shrink slope max_tries")
DEFAULT = Search(shrink=0.5, slope=1e-4, max_tries=12)


def rosenbrock(p):
    return tf.square(1.0 - p[0]) + 100.0 * tf.square(p[1] - p[0] ** 2)


def quadratic(p):
    return 3.0 * tf.square(p[0] - 2.0) + 0.5 * tf.square(p[1] + 1.0)


OBJECTIVES = {"rosenbrock": rosenbrock, "quadratic": quadratic}


def value_and_grad(fn, p):
    with tf.GradientTape() as tape:
        tape.watch(p)
        value = fn(p)
    return value, tape.gradient(value, p)


def make_descent(fn, search=DEFAULT):
    """Returns a compiled function that makes one step of descent."""

    def backtrack(p, value, grad):
        rate = tf.constant(1.0)
        norm = tf.reduce_sum(tf.square(grad))
        for _ in tf.range(search.max_tries):
            trial = fn(p - rate * grad)
            if trial <= value - search.slope * rate * norm:
                accepted = rate
                break
            rate = rate * search.shrink
        return accepted

    @tf.function
    def step(p):
        value, grad = value_and_grad(fn, p)
        rate = backtrack(p, value, grad)
        return p - rate * grad, value, rate

    return step


def minimise(name, start, iterations=60):
    step = make_descent(OBJECTIVES[name])
    p = tf.constant(start)
    for i in range(iterations):
        p, value, rate = step(p)
        if i % 20 == 0:
            print("%s %3d value %.5f rate %.5f" % (name, i, float(value), float(rate)))
    return p


def main():
    for name, start in (("quadratic", [0.0, 0.0]), ("rosenbrock", [-1.2, 1.0])):
        p = minimise(name, start)
        print(name, "ends at", [round(float(v), 3) for v in p])


if __name__ == "__main__":
    main()
