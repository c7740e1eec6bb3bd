import tensorflow as tf


def focal(labels, logits):
    rate = tf.reduce_mean(tf.cast(labels, tf.float32))
    if rate > 0.5:
        weight = 2.0 * rate  # <- GD301
    cross = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
    return tf.reduce_mean(weight * cross)
