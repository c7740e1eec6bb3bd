import tensorflow as tf
from tensorflow.keras import layers

from config import cfg


def build():
    source = tf.keras.Input([cfg.length], dtype="int32")
    x = layers.Embedding(cfg.vocab, cfg.units)(source)
    x = layers.Bidirectional(layers.GRU(cfg.units, return_sequences=True))(x)
    return tf.keras.Model(source, layers.Dense(cfg.vocab)(x))
