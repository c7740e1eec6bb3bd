"""A loop over the time of a tensor, with a TensorArray."""

import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
def running(x):
    length = tf.shape(x)[1]
    sums = tf.TensorArray(tf.float32, size=length)
    total = tf.zeros([tf.shape(x)[0]])
    for t in tf.range(length):
        total += x[:, t]
        sums = sums.write(t, total)
    return tf.transpose(sums.stack())


for length in (3, 5, 7):
    print(running(tf.ones([2, length])).shape)
