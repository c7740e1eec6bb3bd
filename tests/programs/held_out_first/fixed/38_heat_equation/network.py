import tensorflow as tf


class Field(tf.Module):
    """u(x, t) as a small dense network."""

    def __init__(self, units):
        super().__init__()
        self.layers_ = [tf.keras.layers.Dense(units, activation="tanh"),
                        tf.keras.layers.Dense(units, activation="tanh"),
                        tf.keras.layers.Dense(1)]
        self(tf.zeros([1, 1]), tf.zeros([1, 1]))

    @property
    def weights(self):
        return [w for layer in self.layers_ for w in layer.trainable_variables]

    def __call__(self, x, t):
        h = tf.concat([x, t], axis=1)
        for layer in self.layers_:
            h = layer(h)
        return h
