import keras
from keras import ops

from .noise import SkyLevel


class RandomBackground(keras.layers.Layer):
    def __init__(self, level, **kwargs):
        super().__init__(**kwargs)
        self.sky = SkyLevel(level)

    def call(self, images, training=False):
        if not training:
            return images
        return ops.map(self.sky.add, images)

    def compute_output_shape(self, input_shape):
        return input_shape
