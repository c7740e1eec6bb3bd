import tensorflow as tf


@tf.function
def energy(weights, target, temperature=1.0):
    return tf.reduce_sum(tf.nn.softmax(weights / temperature) * target)
