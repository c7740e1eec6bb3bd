"""A function that cannot be converted runs in Python, without a graph

When AutoGraph fails, the original Python function runs directly instead of a graph, and the speed
is lost.

Say instead: it is traced all the same. Only its `if`, `for` and `while` stay Python, and are
decided while tracing; when they depend on a tensor, TensorFlow raises.
"""

import tensorflow as tf

calls = []


@tf.function
def unconverted(x):
    calls.append(1)
    for _ in range(3):  # `for … else` stops the conversion of the whole function
        x = x * 2.0
    else:
        x = x + 1.0
    return x


results = [float(unconverted(tf.constant(value))) for value in (1.0, 2.0, 3.0)]
operations = [o.type for o in unconverted.get_concrete_function(tf.constant(1.0)).graph.get_operations()]
print("results:", results)
print("times that Python ran for 3 calls:", len(calls))
print("multiplications in the graph:", operations.count("Mul"))
print("verdict:", "false" if len(calls) == 1 and operations.count("Mul") == 3 else "true")
