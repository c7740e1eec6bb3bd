import tensorflow as tf


def logistic(features):
    return tf.keras.Sequential([tf.keras.Input((features,)), tf.keras.layers.Dense(8, activation="relu"),
                                tf.keras.layers.Dense(1)])
