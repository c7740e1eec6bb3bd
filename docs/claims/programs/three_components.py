"""Fixed padding, a signature and static shapes are all needed

Retracing ends only when batches are padded to one length, an input signature is given and `.shape`
is used.

Say instead: one of them is enough. A signature with `None`, or `reduce_retracing=True`, or fixed
padding alone.
"""

import tensorflow as tf


def step(x):
    mask = tf.sequence_mask(tf.shape(x)[1:2], maxlen=tf.shape(x)[1])
    return tf.reduce_sum(x) + tf.cast(tf.reduce_sum(tf.cast(mask, tf.int32)), tf.float32)


lengths = [5, 7, 9, 11, 13]
variants = {
    "nothing": (tf.function(step), lengths),
    "fixed padding only": (tf.function(step), [13] * 5),
    "signature with None only": (tf.function(step, input_signature=[tf.TensorSpec([4, None])]), lengths),
    "reduce_retracing only": (tf.function(step, reduce_retracing=True), lengths),
}
traces = {}
for name, (function, sizes) in variants.items():
    for size in sizes:
        function(tf.ones([4, size]))
    traces[name] = function.experimental_get_tracing_count()
    print(f"{name}: {traces[name]} traces for 5 batches")
enough = traces["fixed padding only"] == traces["signature with None only"] == 1
print("verdict:", "false" if enough else "true")
