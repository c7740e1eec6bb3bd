import tensorflow as tf


@tf.function
def weighted(values: tf.Tensor, weights: tf.Tensor):
    total = 0  # <- GD306
    for index in tf.range(tf.shape(values)[0]):
        total += tf.cast(values[index], tf.float32) * tf.cast(weights[index], tf.float32)
    return total
