"""A helper without `@tf.function` is not converted

A function that a `tf.function` calls must carry `@tf.function` itself, or AutoGraph fails to trace
it.

Say instead: AutoGraph converts what a converted function calls, recursively. A decorator on the
helper adds a function call to the graph, and nothing else.
"""

import tensorflow as tf


def custom_loss(y_true, y_pred):
    if tf.reduce_sum(y_true) > 0.0:
        return abs(y_true - y_pred)
    return y_true


decorated = tf.function(custom_loss)
plain_step = tf.function(lambda x: custom_loss(x, x * 2.0))
decorated_step = tf.function(lambda x: decorated(x, x * 2.0))
x = tf.ones([2])
calls = {"PartitionedCall", "StatefulPartitionedCall", "StatelessIf"}
for name, step in (("plain helper", plain_step), ("decorated helper", decorated_step)):
    types = {operation.type for operation in step.get_concrete_function(x).graph.get_operations()}
    print(f"{name}: {sorted(types & calls)}, result {step(x).numpy().tolist()}")
print("verdict:", "false" if bool(tf.reduce_all(plain_step(x) == 1.0)) else "true")
