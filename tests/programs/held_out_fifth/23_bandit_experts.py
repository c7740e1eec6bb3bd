"""Exp3-style bandit over a handful of update rules for a scalar controller."""
import numpy as np
import tensorflow as tf


def gentle(x, g):
    return x - 0.01 * g


def normal(x, g):
    return x - 0.1 * g


def bold(x, g):
    return x - 0.5 * tf.sign(g) * tf.abs(g) ** 0.5


class ExpertPool:
    rules = (gentle, normal, bold)

    def __init__(self, eta=0.3):
        self.eta = eta
        self.log_w = tf.Variable(tf.zeros([len(self.rules)]))

    def draw(self):
        idx = tf.random.categorical(self.log_w[None], 1)[0, 0]
        return idx, tf.nn.softmax(self.log_w)[idx]

    def reward(self, idx, gain, prob):
        bump = self.eta * gain / prob
        self.log_w.assign_add(tf.one_hot(idx, len(self.rules)) * bump)


class Controller:
    def __init__(self, pool, start=4.0):
        self.pool = pool
        self.x = tf.Variable(start)

    def cost(self, x):
        return tf.square(x - 1.0) + 0.1 * tf.sin(5.0 * x)

    @tf.function
    def act(self):
        x = self.x.read_value()
        with tf.GradientTape() as tape:
            tape.watch(x)
            before = self.cost(x)
        g = tape.gradient(before, x)
        which, prob = self.pool.draw()
        rule = self.pool.rules[which]
        moved = rule(x, g)
        after = self.cost(moved)
        self.pool.reward(which, tf.clip_by_value(before - after, -1.0, 1.0), prob)
        self.x.assign(moved)
        return after


def main():
    tf.random.set_seed(3)
    ctrl = Controller(ExpertPool())
    costs = [float(ctrl.act()) for _ in range(40)]
    print("cost", round(costs[0], 3), "->", round(costs[-1], 3))
    print("weights", np.round(tf.nn.softmax(ctrl.pool.log_w).numpy(), 3))


if __name__ == "__main__":
    main()
