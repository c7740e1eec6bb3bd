import tensorflow as tf


@tf.function
def altered(rows, crop, flip):
    taken = tf.roll(rows, crop, axis=1)
    return tf.reverse(taken, [1]) if flip else taken
