from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def __init__(self, filters, normalize=True, **kwargs):
        super().__init__(**kwargs)
        self.conv = layers.Conv2D(filters, 3, padding="same")
        self.norm = layers.BatchNormalization() if normalize else None

    def call(self, x, training=None):
        x = self.conv(x)
        if self.norm is not None:
            x = self.norm(x, training=training)
        return keras.ops.relu(x)


def build(cfg):
    inputs = keras.Input((cfg.size, cfg.size, 1))
    x, skips = inputs, []
    for filters in cfg.filters:
        x = Block(filters)(x)
        skips.append(x)
    x = layers.Concatenate()(skips)
    return keras.Model(inputs, layers.Conv2D(1, 1)(x))
