import tensorflow as tf


class Highway(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.dense = tf.keras.layers.Dense(units, activation="relu")
        self.gate = make_gate(units)

    def __call__(self, x):
        gate = self.gate(x)
        return gate * self.dense(x) + (1.0 - gate) * x


def make_gate(units):
    return tf.keras.layers.Dense(units, activation="sigmoid", bias_initializer="zeros")
