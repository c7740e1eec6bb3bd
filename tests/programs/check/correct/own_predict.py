"""A model of one's own, whose `predict` stays in TensorFlow, and whose variables are all trained."""

import tensorflow as tf


class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable(1.0)
        self.offset = tf.Variable(0.0)

    def predict(self, x):
        return self.slope * x + self.offset


def step(line, x, y, rate=0.1):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(line.predict(x) - y))
    for gradient, variable in zip(tape.gradient(loss, line.variables), line.variables):
        variable.assign_sub(rate * gradient)
    return loss
