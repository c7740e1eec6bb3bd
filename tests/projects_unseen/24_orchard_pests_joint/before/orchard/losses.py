import tensorflow as tf


def poisson_nll(counts, log_rate):
    return tf.reduce_mean(tf.exp(log_rate) - counts * log_rate)
