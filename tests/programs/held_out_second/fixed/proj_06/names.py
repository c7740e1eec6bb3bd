import tensorflow as tf


def tag(*parts):
    return tf.strings.join([p if isinstance(p, str) else tf.strings.as_string(p) for p in parts], "/")
