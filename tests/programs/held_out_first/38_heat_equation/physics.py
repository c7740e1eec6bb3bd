import tensorflow as tf


def derivatives(field, x, t):
    """First derivative in time, second one in space."""
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([x, t])
            u = field(x, t)
    u_t = first.gradient(u, t)
    u_x = first.gradient(u, x)
    u_xx = second.gradient(u_x, x)
    del first
    return u_t, u_xx


def residual(field, x, t, diffusivity):
    u_t, u_xx = derivatives(field, x, t)
    return tf.reduce_mean(tf.square(u_t - diffusivity * u_xx))
