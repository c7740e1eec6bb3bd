import tensorflow as tf


@tf.function
def gaussian(member, x):
    mean, log_sd = member(x)
    return mean, tf.exp(log_sd)


def nll(member, x, y):
    mean, sd = gaussian(member, x)
    return tf.reduce_mean(0.5 * tf.square((y - mean) / sd) + tf.math.log(sd))
