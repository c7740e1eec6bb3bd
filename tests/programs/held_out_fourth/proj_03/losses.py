import numpy as np
import tensorflow as tf

REGISTRY = {}


def loss(name):
    def add(cls):
        REGISTRY[name] = cls
        return cls
    return add


class Margin:
    def __init__(self, margin):
        self.margin = margin

    def distance(self, a, b):
        return tf.reduce_sum(tf.square(a - b), axis=-1)


@loss("triplet")
class Triplet(Margin):
    def __call__(self, anchor, positive, negative):
        gap = self.distance(anchor, positive) - self.distance(anchor, negative)
        return tf.reduce_mean(np.maximum(gap + self.margin, 0.0))


@loss("soft")
class Soft(Margin):
    def __call__(self, anchor, positive, negative):
        gap = self.distance(anchor, positive) - self.distance(anchor, negative)
        return tf.reduce_mean(tf.nn.softplus(gap + self.margin))
