"""Closures make the conversion fail

Complex closures are beyond AutoGraph's static analysis, and stop the conversion.

Say instead: closures are converted. What they capture from Python is read once, while tracing.
"""

import tensorflow as tf


def make(power):
    scale = 10.0

    def raised(x):
        def inner(y):
            if tf.reduce_sum(y) > 0.0:
                return y**power * scale
            return -y

        return inner(x)

    return tf.function(raised)


results = [float(make(power)(tf.constant(2.0))) for power in (2, 3)]
branches = [
    operation.type for operation in make(2).get_concrete_function(tf.constant(2.0)).graph.get_operations()
].count("StatelessIf")
print("results:", results)
print("branches in the graph:", branches)
print("verdict:", "false" if results == [40.0, 80.0] and branches == 1 else "true")
