"""List comprehensions make the conversion fail

Certain list comprehensions are unsupported and make AutoGraph fail.

Say instead: a comprehension over Python things is unrolled, and the function is converted.
AutoGraph does not convert the comprehension itself, so one over a tensor raises.
"""

import tensorflow as tf


@tf.function
def over_range(x):
    parts = [x[i] * 2.0 for i in range(3)]
    if tf.reduce_sum(x) > 0.0:  # still a branch of the graph: the function was converted
        return tf.stack(parts)
    return x


@tf.function
def over_tensor(x):
    return tf.stack([row * 2.0 for row in x])


print("over range:", over_range(tf.ones([3])).numpy().tolist())
try:
    over_tensor(tf.ones([3]))
    raised = None
except Exception as error:
    raised = type(error).__name__
print("over a tensor:", raised or "works")
print("verdict:", "partly" if raised else "false")
