"""Numerically careful helpers."""
import tensorflow as tf


def safe_cholesky(k, rel_jitter=1e-8):
    """Cholesky factor of k plus a small jitter, relative to the mean of the diagonal.

    A failed factorisation cannot be caught inside a graph, so the jitter is always there.
    """
    scale = tf.stop_gradient(tf.reduce_mean(tf.linalg.diag_part(k)))
    eye = tf.eye(tf.shape(k)[0], dtype=k.dtype)
    return tf.linalg.cholesky(k + rel_jitter * scale * eye)
