import tensorflow as tf


def make_counter():
    seen = 0

    @tf.function
    def count(batch):
        nonlocal seen
        seen += 1  # <- GD203
        return tf.reduce_sum(batch)

    return count, lambda: seen
