import tensorflow as tf


class Highway(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.dense = tf.keras.layers.Dense(units, activation="relu")

    def __call__(self, x):
        gate = make_gate(self.units)(x)
        return gate * self.dense(x) + (1.0 - gate) * x


def make_gate(units):
    return tf.keras.layers.Dense(units, activation="sigmoid", bias_initializer="zeros")
