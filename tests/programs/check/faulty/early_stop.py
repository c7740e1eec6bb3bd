import tensorflow as tf


@tf.function
def iterate(x):
    for step in range(100):
        before = x
        x = 0.5 * (x + 2.0 / x)
        if tf.reduce_max(tf.abs(x - before)) < 1e-6:
            break  # <- GD314
    return x
