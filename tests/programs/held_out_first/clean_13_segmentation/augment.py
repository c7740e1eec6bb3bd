import tensorflow as tf


def random_flip(image, mask):
    both = tf.concat([image, mask], axis=-1)
    if tf.random.uniform([]) < 0.5:
        both = tf.reverse(both, [1])
    return both[..., :1], both[..., 1:]


def random_gain(image, mask):
    return image * tf.random.uniform([], 0.8, 1.2), mask
