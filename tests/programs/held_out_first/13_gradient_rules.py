"""A subclassed optimizer wrapper that treats gradients by a rule named in the settings."""
import argparse

import tensorflow as tf


def limit(grad, rule, bound):
    match rule:
        case "value":
            return tf.clip_by_value(grad, -bound, bound)
        case "norm":
            norm = tf.norm(grad)
            if norm > bound:
                grad = grad * (bound / norm)
            return grad
        case _:
            return grad


class LimitedSGD(tf.keras.optimizers.SGD):
    def __init__(self, rule, bound, **kwargs):
        super().__init__(**kwargs)
        self.rule = rule
        self.bound = bound

    def limited(self, grads):
        return [limit(g, self.rule, self.bound) for g in grads]


class Regression(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.w = tf.Variable(tf.zeros([n, 1]))
        self.b = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        return x @ self.w + self.b


def make_step(model, optimizer):
    variables = [model.w, model.b]
    optimizer.build(variables)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - model(x)))
        grads = optimizer.limited(tape.gradient(loss, variables))
        optimizer.apply_gradients(zip(grads, variables))
        return loss

    return step


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--rule", default="norm", choices=["value", "norm", "none"])
    parser.add_argument("--bound", type=float, default=0.5)
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args(argv)
    tf.random.set_seed(3)
    x = tf.random.normal([128, 3])
    y = x @ tf.constant([[1.0], [-2.0], [0.5]]) + 0.3
    step = make_step(Regression(3), LimitedSGD(args.rule, args.bound, learning_rate=0.1))
    for _ in range(args.steps):
        loss = step(x, y)
    print("loss %.4f with rule %s" % (float(loss), args.rule))


if __name__ == "__main__":
    main()
