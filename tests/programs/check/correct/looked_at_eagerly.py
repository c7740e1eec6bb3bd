"""Branches that are not for graphs, and graph functions that each turn of a loop needs for itself."""

import keras
import random

import tensorflow as tf
from keras import ops


def in_tf_function():
    return not tf.executing_eagerly()


class Masker(keras.layers.Layer):
    def __init__(self, rate, python=True):
        super().__init__()
        self.rate = rate
        self.python = python

    def in_python(self, tokens):
        return [0 if random.random() < self.rate else token for token in tokens]

    def in_graph(self, tokens):
        return tf.where(tf.random.uniform(tf.shape(tokens)) < self.rate, 0, tokens)

    def call(self, tokens):
        if not self.python or in_tf_function():
            return self.in_graph(tokens)
        else:
            return self.in_python(tokens)


@tf.function(jit_compile=True)
def rate(bits, symbols, verbose=False):
    tf.debugging.assert_type(bits, tf.float32)
    tf.debugging.assert_less_equal(1, tf.rank(bits))
    result = tf.reduce_sum(bits) / tf.reduce_sum(symbols)
    if verbose:
        print("rate", result.numpy())
    return result


class OnHost(keras.metrics.Metric):
    def __new__(cls, *arguments, **options):
        metric = super().__new__(cls)
        metric.update_state = metric.update_on_host
        return metric

    def update_on_host(self, y_true, y_pred, sample_weight=None):
        tf.py_function(OnHost.update_state, [self, y_true, y_pred], [])

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.highest = max(self.highest, float(ops.max(y_pred).numpy()))

    def result(self):
        return self.highest


@tf.function
def measure(y_true, y_pred):
    metric = OnHost()
    metric.update_state(y_true, y_pred)
    return y_pred


def compare(layers, batch):
    results = []
    for make in layers:
        layer = make()

        @tf.function
        def run(x):
            return layer(x)

        results.append(run(batch))
    return results
