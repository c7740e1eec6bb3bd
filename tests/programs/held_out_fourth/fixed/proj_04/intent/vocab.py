import functools

import tensorflow as tf

from intent import config


@functools.lru_cache(maxsize=None)
def word_table():
    init = tf.lookup.KeyValueTensorInitializer(
        tf.constant(config.WORDS), tf.range(1, len(config.WORDS) + 1))
    return tf.lookup.StaticHashTable(init, default_value=0)


def encode(texts, length):
    words = tf.strings.split(tf.strings.lower(texts))
    ids = tf.ragged.map_flat_values(word_table().lookup, words)
    return ids.to_tensor(shape=[None, length])
