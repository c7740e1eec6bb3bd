import tensorflow as tf

MAX_ENERGY = 4.0


def energy(h):
    return tf.reduce_mean(tf.square(h))


@tf.function
def limit_energy(h, ceiling=MAX_ENERGY):
    """Scales a whole batch of activations down when its energy is too large."""
    e = energy(h)
    if e > ceiling:
        h = h * tf.sqrt(ceiling / e)
    return h
