import tensorflow as tf


def shifted(track):
    """Inputs and targets of one-step prediction."""
    return track[:-1], track[1:, :2]


def smooth(values, momentum=0.7):
    """Two-point smoothing along the track."""
    before = tf.concat([values[:1], values[:-1]], axis=0)
    return momentum * values + (1.0 - momentum) * before
