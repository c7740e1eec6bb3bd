import tensorflow as tf


class Trainer:
    def __init__(self, matcher, rate=0.05):
        self.matcher, self.rate = matcher, rate
        self.step = tf.function(self.step)

    def step(self, a, b):
        with tf.GradientTape() as tape:
            loss = self.matcher.loss(a, b)
        for v, g in zip(self.matcher.trainable_variables, tape.gradient(loss, self.matcher.trainable_variables)):
            v.assign_sub(self.rate * g)
        return loss
