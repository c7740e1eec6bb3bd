"""Compiles each objective exactly once and keeps it in a registry."""
import numpy as np
import tensorflow as tf

REGISTRY = {}


def objective(name):
    def register(fn):
        REGISTRY[name] = tf.function(fn)
        return fn

    return register


@objective("sphere")
def sphere(x):
    return tf.reduce_sum(x**2)


@objective("rosenbrock")
def rosenbrock(x):
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


class Descent:
    def __init__(self, fn, lr):
        self.lr = lr
        self.path = []

        @tf.function
        def advance(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = fn(x)
            g = tape.gradient(y, x)
            return x - self.lr * g / (1.0 + tf.norm(g)), y

        self.advance = advance

    def run(self, x, steps):
        for i in range(steps):
            x, y = self.advance(x)
            self.path.append(float(y))
            if i and abs(self.path[-1] - self.path[-2]) < 1e-6:
                break
        return x


def main():
    for name, fn in REGISTRY.items():
        descent = Descent(fn, lr=0.05)
        x = descent.run(tf.constant([1.5, -0.5, 0.7]), 40)
        print(name, round(descent.path[0], 3), "->", round(descent.path[-1], 3), np.round(x.numpy(), 2))


if __name__ == "__main__":
    main()
