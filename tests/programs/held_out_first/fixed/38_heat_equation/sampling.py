import numpy as np
import tensorflow as tf


def interior(n):
    return tf.random.uniform([n, 1]), tf.random.uniform([n, 1])


def initial(n):
    x = tf.random.uniform([n, 1])
    return x, tf.sin(np.pi * x)


def boundary(n):
    t = tf.random.uniform([n, 1])
    x = tf.round(tf.random.uniform([n, 1]))
    return x, t
