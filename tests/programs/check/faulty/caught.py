import tensorflow as tf


@tf.function
def invert(matrix):
    try:
        return tf.linalg.inv(matrix)
    except tf.errors.InvalidArgumentError:  # <- GD328
        return tf.linalg.pinv(matrix)
