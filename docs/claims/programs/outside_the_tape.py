"""Computing outside the tape loses the gradient

Indexing the result, or adding two losses, after the `with` block gives None.

Say instead: just that: the target must be made inside the block.
"""

import tensorflow as tf

x = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    logits = x * x
    first, second = tf.reduce_sum(logits), tf.reduce_mean(x)
    inside = first + second
indexed = tape.gradient(logits[1], x)
summed = tape.gradient(first + second, x)
print("indexed outside:", indexed)
print("losses added outside:", summed)
print("losses added inside:", tape.gradient(inside, x).numpy().tolist())
print("verdict:", "true" if indexed is None and summed is None else "false")
