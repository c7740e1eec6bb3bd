import tensorflow as tf


def teacher():
    return _mlp(32, "teacher")


def student():
    return _mlp(6, "student")


def _mlp(units, name):
    return tf.keras.Sequential([
        tf.keras.Input((6,)),
        tf.keras.layers.Dense(units, activation="relu"),
        tf.keras.layers.Dense(3),
    ], name=name)
