import tensorflow as tf
from tensorflow.keras import layers


def one_step(cfg):
    return tf.keras.Sequential([
        tf.keras.Input([cfg.window]),
        layers.Dense(cfg.units, activation="relu"),
        layers.Dense(1),
    ])
