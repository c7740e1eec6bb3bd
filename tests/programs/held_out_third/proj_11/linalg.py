"""Numerically careful helpers."""
import logging

import tensorflow as tf

log = logging.getLogger("gp.linalg")


def safe_cholesky(k, jitters=(0.0, 1e-8, 1e-6, 1e-4)):
    """Cholesky factor; tries growing jitter until the factorisation goes through."""
    eye = tf.eye(tf.shape(k)[0], dtype=k.dtype)
    for jitter in jitters:
        try:
            chol = tf.linalg.cholesky(k + jitter * eye)
            return tf.debugging.check_numerics(chol, "cholesky")
        except tf.errors.InvalidArgumentError:
            log.info("cholesky failed with jitter %g", jitter)
    raise ValueError("matrix is not positive definite, even with jitter")
