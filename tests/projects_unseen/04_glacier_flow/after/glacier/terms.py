import tensorflow as tf


def brightness(first, second, flow):
    """Linearised brightness change that the flow leaves unexplained."""
    dx = tf.roll(first, -1, axis=2) - first
    dy = tf.roll(first, -1, axis=1) - first
    return second - first + dx * flow[..., 0] + dy * flow[..., 1]


def huber(residual, width):
    size = tf.abs(residual)
    return tf.reduce_mean(tf.where(size < width, 0.5 * size**2, width * (size - 0.5 * width)))


def roughness(flow):
    down = flow[1:] - flow[:-1]
    right = flow[:, 1:] - flow[:, :-1]
    return tf.reduce_mean(tf.square(down)) + tf.reduce_mean(tf.square(right))
