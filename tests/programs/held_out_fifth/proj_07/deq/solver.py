import tensorflow as tf


def residual(f, z):
    return tf.reduce_max(tf.abs(f(z) - z))


def fixed_point(f, z, tol=1e-3, limit=30):
    """Damped iteration until the residual is small."""
    k = tf.constant(0)
    while (gap := residual(f, z)) > tol and k < limit:
        step = tf.minimum(1.0, 0.5 + gap)
        z = z + step * (f(z) - z)
        k += 1
    return z
