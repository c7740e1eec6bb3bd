"""Meta-learning of an initialisation for sine regression."""
import math

import tensorflow as tf


class SineNet(tf.Module):
    SHAPES = ([1, 20], [20], [20, 1], [1])

    def __init__(self, name=None):
        super().__init__(name=name)
        init = tf.random_normal_initializer(0.0, 0.5, seed=19)
        self.params = [tf.Variable(init(s)) for s in self.SHAPES]

    def __call__(self, x):
        w1, b1, w2, b2 = self.params
        return tf.tanh(x @ w1 + b1) @ w2 + b2


def task():
    amplitude, phase = tf.random.uniform([], 0.5, 3.0), tf.random.uniform([], 0.0, math.pi)
    x = tf.random.uniform([20, 1], -4.0, 4.0)
    y = amplitude * tf.sin(x + phase)
    return (x[:10], y[:10]), (x[10:], y[10:])


def mse(net, x, y):
    return tf.reduce_mean(tf.square(y - net(x)))


class MetaLearner:
    def __init__(self, inner_rate=0.02):
        self.slow = SineNet("slow")
        self.fast = SineNet("fast")
        self.inner_rate = inner_rate
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def adapt(self, support):
        for fast, slow in zip(self.fast.params, self.slow.params):
            fast.assign(slow)
        with tf.GradientTape() as inner:
            loss = mse(self.fast, *support)
        for p, g in zip(self.fast.params, inner.gradient(loss, self.fast.params)):
            p.assign_sub(self.inner_rate * g)

    def meta_step(self, support, query):
        with tf.GradientTape() as outer:
            self.adapt(support)
            loss = mse(self.fast, *query)
        grads = outer.gradient(loss, self.slow.params)
        self.optimizer.apply_gradients(zip(grads, self.slow.params))
        return loss


def main():
    tf.random.set_seed(19)
    learner = MetaLearner()
    step = tf.function(learner.meta_step)
    for i in range(10):
        loss = step(*task())
    print("query loss %.3f" % float(loss))


main()
