import tensorflow as tf


def build(vocab_size, max_len, n_labels):
    ids = tf.keras.Input((max_len,), dtype="int64")
    h = tf.keras.layers.Embedding(vocab_size, 16)(ids)
    h = tf.keras.layers.GlobalMaxPooling1D()(h)
    return tf.keras.Model(ids, tf.keras.layers.Dense(n_labels)(h))
