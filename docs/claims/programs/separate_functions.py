"""Separate `tf.function` objects never share a trace

Two objects made from one Python function trace it twice.

Say instead: just that; so do not make them in a loop.
"""

import tensorflow as tf

traced = []


def double(x):
    traced.append(1)
    return x * 2


first, second = tf.function(double), tf.function(double)
for _ in range(2):
    first(tf.constant(1))
    second(tf.constant(1))
print("traces for two objects, two calls each:", len(traced))
print("verdict:", "true" if len(traced) == 2 else "false")
