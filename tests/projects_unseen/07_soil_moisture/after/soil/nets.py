import keras
from keras import layers


class DepthNet(keras.Model):
    """A shared stem and one head per depth; the heads share their last layer."""

    def __init__(self, units, depths):
        super().__init__()
        self.stem = layers.Dense(units, activation="relu")
        self.readout = layers.Dense(1, activation="sigmoid")
        self.heads = [keras.Sequential([layers.Dense(units), self.readout]) for _ in range(depths)]

    def parts(self):
        yield self.stem
        yield from self.heads

    def call(self, radar):
        features = self.stem(radar)
        return keras.ops.concatenate([head(features) for head in self.heads], axis=-1)
