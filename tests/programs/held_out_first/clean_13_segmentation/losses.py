import tensorflow as tf


def dice(mask, logits):
    p = tf.sigmoid(logits)
    overlap = tf.reduce_sum(mask * p, axis=[1, 2, 3])
    size = tf.reduce_sum(mask, axis=[1, 2, 3]) + tf.reduce_sum(p, axis=[1, 2, 3])
    return tf.reduce_mean(1.0 - (2.0 * overlap + 1.0) / (size + 1.0))
