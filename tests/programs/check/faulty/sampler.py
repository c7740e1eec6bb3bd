import tensorflow as tf


@tf.function
def sample(logits, steps):
    for step in tf.range(steps):
        drawn = tf.random.categorical(logits, 1)[:, 0]
        if tf.reduce_all(drawn == 0):
            return step  # <- GD317
        logits = logits + 0.1
    return steps
