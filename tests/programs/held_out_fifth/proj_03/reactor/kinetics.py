import tensorflow as tf


def rate(c, temp, activation):
    return c * tf.exp(-activation / temp)


def rhs(c, temp, feed_temp, s):
    r = rate(c, temp, s.activation)
    return s.feed - c - r, feed_temp - temp + s.heat * r
