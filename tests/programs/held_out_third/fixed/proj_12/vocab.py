"""Lookup tables for words and labels."""
import tensorflow as tf

LABELS = ["billing", "network", "account"]
_TABLES = {}


def word_table(words):
    """String -> id table; cached, because building it for a big vocabulary is slow."""
    key = tuple(words)
    if key not in _TABLES:
        init = tf.lookup.KeyValueTensorInitializer(
            tf.constant(list(words)), tf.range(2, 2 + len(words), dtype=tf.int64))
        _TABLES[key] = tf.lookup.StaticHashTable(init, default_value=1)
    return _TABLES[key]


def encode(texts, words, max_len):
    tokens = tf.strings.split(tf.strings.lower(texts)).to_tensor(default_value="", shape=[None, max_len])
    ids = word_table(words).lookup(tokens)
    return tf.where(tokens == "", tf.zeros_like(ids), ids)
