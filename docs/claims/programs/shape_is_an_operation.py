"""`tf.shape()` of a fixed shape is computed at run time

`tf.shape(x)[1]` makes a dynamic operation though the size is known; `x.shape[1]` is a constant
without overhead.

Say instead: where the size is known while tracing, `tf.shape` gives a constant, and slicing it is
folded before the graph runs. The difference matters where Python needs a number: `range`, a layer's
size, a `reshape`.
"""

import tensorflow as tf


@tf.function
def dynamic(x):
    return tf.shape(x)[1]


known = [o.type for o in dynamic.get_concrete_function(tf.TensorSpec([56, 800, 80])).graph.get_operations()]
unknown = [
    o.type for o in dynamic.get_concrete_function(tf.TensorSpec([56, None, 80])).graph.get_operations()
]
print("size known, `Shape` operations:", known.count("Shape"))
print("size unknown, `Shape` operations:", unknown.count("Shape"))
print("verdict:", "false" if known.count("Shape") == 0 and unknown.count("Shape") == 1 else "true")
