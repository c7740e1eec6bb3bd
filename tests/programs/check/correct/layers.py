import keras
import tensorflow as tf
from keras import ops


class Block(keras.layers.Layer):
    def __init__(self, widths, residual=True, dropout=0.0):
        super().__init__()
        self.layers_ = [keras.layers.Dense(width, activation="relu") for width in widths]
        self.residual = residual
        self.dropout = keras.layers.Dropout(dropout) if dropout > 0 else None

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    def call(self, inputs, training=None, mask=None):
        x = inputs * self.scale
        collected = []
        for layer in self.layers_:
            x = layer(x)
            collected.append(x)
        if self.dropout is not None and training:
            x = self.dropout(x, training=training)
        if mask is not None:
            x = ops.where(mask[..., None], x, 0.0)
        if self.residual and inputs.shape[-1] == x.shape[-1]:
            x = x + inputs
        return ops.cond(ops.max(x) > 1e3, lambda: x / 10.0, lambda: x), collected
