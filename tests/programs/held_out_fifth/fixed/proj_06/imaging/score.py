import tensorflow as tf

from .preprocess import standardise


class BrightnessModel(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(2.0)

    def __call__(self, images):
        x = standardise(images)
        return self.scale * tf.reduce_mean(x, axis=[1, 2, 3])
