import tensorflow as tf

from .params import HP


def gaussian_kl(mean, logvar):
    return -0.5 * tf.reduce_mean(tf.reduce_sum(1.0 + logvar - tf.square(mean) - tf.exp(logvar), axis=1))


def negative_elbo(x, recon, mean, logvar):
    rec = tf.reduce_mean(tf.reduce_sum(tf.square(x - recon), axis=1))
    kl = gaussian_kl(mean, logvar)
    return rec + HP.beta * kl, rec, kl
