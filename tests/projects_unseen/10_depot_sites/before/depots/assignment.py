import tensorflow as tf


def squared_distances(places, sites):
    return tf.reduce_sum(tf.square(places[:, None, :] - sites[None, :, :]), axis=-1)


def nearest(places, sites):
    """Number of the depot that serves each customer."""
    return tf.argmin(squared_distances(places, sites), axis=-1)
