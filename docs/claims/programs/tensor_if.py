"""AutoGraph does not support an `if` on a tensor

An `if` whose condition is a tensor may not be translated; it has to be rewritten with `tf.cond`.

Say instead: AutoGraph turns it into a branch of the graph. What raises is an `if` in code that
AutoGraph does not convert.
"""

import tensorflow as tf


@tf.function
def absolute(x):
    if tf.reduce_mean(x) > 0.5:
        return x
    return -x


operations = [
    operation.type for operation in absolute.get_concrete_function(tf.ones([2])).graph.get_operations()
]
results = [float(absolute(tf.constant([value]))[0]) for value in (1.0, -3.0)]
print("branches in the graph:", operations.count("StatelessIf"))
print("results for 1 and -3:", results)
print("verdict:", "false" if operations.count("StatelessIf") == 1 and results == [1.0, 3.0] else "true")
