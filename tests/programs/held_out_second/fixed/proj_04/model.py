import tensorflow as tf


def build(cfg):
    return tf.keras.Sequential([
        tf.keras.Input((cfg.features,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(cfg.classes),
    ])
