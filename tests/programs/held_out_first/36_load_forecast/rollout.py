import tensorflow as tf


def penalty(step, horizon):
    """Far steps count less."""
    return 1.0 - 0.5 * tf.cast(step, tf.float32) / tf.cast(horizon, tf.float32)


def rollout_loss(model, window, future):
    """Feeds the forecasts back and sums up the weighted errors of the whole horizon."""
    horizon = tf.shape(future)[1]
    total = 0
    for step in tf.range(horizon):
        forecast = model(window)
        error = tf.reduce_mean(tf.square(future[:, step] - forecast[:, 0]))
        total += penalty(step, horizon) * error
        window = tf.concat([window[:, 1:], forecast], axis=1)
    return total
