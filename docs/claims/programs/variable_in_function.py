"""Creating a Variable in a traced function raises

A `tf.Variable` made at each call raises a ValueError; one made outside works.

Say instead: just that; made once, behind an `is None` guard, works too.
"""

import tensorflow as tf


@tf.function
def inside(x):
    variable = tf.Variable(1.0)
    variable.assign_add(x)
    return variable


outer = tf.Variable(1.0)


@tf.function
def outside(x):
    return outer.assign_add(x)


try:
    inside(1.0)
    raised = None
except ValueError as error:
    raised = type(error).__name__
results = [float(outside(value)) for value in (1.0, 2.0)]
print("made inside:", raised)
print("made outside:", results)
print("verdict:", "true" if raised == "ValueError" and results == [2.0, 4.0] else "false")
