import tensorflow as tf
from tensorflow.keras import Input, Model, layers

from . import settings as S


def corrupt(ids):
    """Hide a random share of the events; returns the corrupted ids and the hidden positions."""
    hidden = tf.random.uniform(tf.shape(ids)) < S.live["mask_rate"]
    return tf.where(hidden, tf.fill(tf.shape(ids), S.MASK_ID), ids), hidden


def reconstructor(width=32):
    ids = Input((S.LENGTH,), dtype="int32")
    x = layers.Embedding(S.VOCAB, width)(ids)
    x = layers.Conv1D(width, 5, padding="same", activation="relu")(x)
    x = layers.Conv1D(width, 5, padding="same", activation="relu")(x)
    return Model(ids, layers.Dense(S.VOCAB)(x))
