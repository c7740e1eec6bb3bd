import tensorflow as tf


def squared_distances(places, sites):
    return tf.reduce_sum(tf.square(places[:, None, :] - sites[None, :, :]), axis=-1)


def shares(places, sites, width=0.1):
    """How much each depot serves each customer."""
    return tf.nn.softmax(-squared_distances(places, sites) / width, axis=-1)
