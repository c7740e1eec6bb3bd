"""AutoGraph control flow with consistent branches, loops and early exit."""
import numpy as np
import tensorflow as tf


def line_search(f, x, g, start=1.0, shrink=0.5, limit=20):
    step = tf.constant(start)
    fx = f(x)
    accepted = tf.constant(False)
    for _ in tf.range(limit):
        if f(x - step * g) <= fx - 1e-4 * step * tf.reduce_sum(g * g):
            accepted = True
            break
        step *= shrink
    if not accepted:
        step = tf.zeros_like(step)
    return step


@tf.function
def minimise(x, tol, max_iter):
    f = lambda v: tf.reduce_sum((v - 1.0) ** 4 + 0.5 * v**2)
    values = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    k = 0
    norm = tf.constant(np.inf)
    while norm > tol and k < max_iter:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
        norm = tf.norm(g)
        x = x - line_search(f, x, g) * g
        values = values.write(k, y)
        k += 1
    return x, values.stack(), k


@tf.function
def classify(v):
    if v > 1.0:
        return tf.constant("large")
    elif v > 0.0:
        return tf.constant("small")
    else:
        return tf.constant("none")


@tf.function
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def main():
    x, values, k = minimise(tf.constant([3.0, -2.0]), tf.constant(1e-2), tf.constant(50))
    print(x.numpy(), int(k), values.shape)
    print([classify(tf.constant(v)).numpy().decode() for v in (2.0, 0.5, -1.0)])
    print(int(collatz(tf.constant(27))))


if __name__ == "__main__":
    main()
