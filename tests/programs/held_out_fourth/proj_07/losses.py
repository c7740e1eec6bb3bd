import tensorflow as tf


def info_nce(za, zb, temperature):
    za = tf.math.l2_normalize(za, axis=1)
    zb = tf.math.l2_normalize(zb, axis=1)
    logits = tf.matmul(za, zb, transpose_b=True) / temperature
    labels = tf.range(tf.shape(logits)[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
