import keras
from keras import ops


class Block(keras.layers.Layer):
    """y = x + f(x)"""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def transform(self, x):
        raise NotImplementedError

    def call(self, x):
        return x + self.transform(x)


class Feed(Block):
    def __init__(self, units, **kwargs):
        super().__init__(units, **kwargs)
        self.up = keras.layers.Dense(units * 2, activation="relu")
        self.down = keras.layers.Dense(units)

    def transform(self, x):
        return self.down(self.up(x))


class Gate(Block):
    def transform(self, x):
        value, gate = ops.split(keras.layers.Dense(self.units * 2)(x), 2, axis=-1)
        return value * ops.sigmoid(gate)


BLOCKS = {"feed": Feed, "gate": Gate}
