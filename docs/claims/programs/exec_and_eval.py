"""Functions made by `exec` are not converted

Functions that are generated dynamically, by `exec` or `eval`, cannot be converted.

Say instead: just that. They are traced, but a tensor cannot decide their control flow.
"""

import tensorflow as tf

namespace = {"tf": tf}
exec("def double(x):\n    return x * 2.0\n", namespace)
exec("def branch(x):\n    return x if tf.reduce_sum(x) > 0.0 else -x\n", namespace)
print("without control flow:", float(tf.function(namespace["double"])(tf.constant(2.0))))
try:
    tf.function(namespace["branch"])(tf.constant(2.0))
    raised = None
except Exception as error:
    raised = type(error).__name__
print("with a tensor condition:", raised or "works")
print("verdict:", "true" if raised == "OperatorNotAllowedInGraphError" else "false")
