import keras

from .blocks import BLOCKS


class Network(keras.Model):
    def __init__(self, plan, units):
        super().__init__(name="network")
        self.enter = keras.layers.Dense(units)
        self.blocks = [BLOCKS[kind](units) for kind in plan.split("-")]
        self.leave = keras.layers.Dense(1)

    def call(self, x):
        x = self.enter(x)
        for block in self.blocks:
            x = block(x)
        return self.leave(x)
