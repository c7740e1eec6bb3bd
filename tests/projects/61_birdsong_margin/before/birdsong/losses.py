import keras
import tensorflow as tf


class MarginLoss(keras.losses.Loss):
    """Hinge loss whose margin grows."""

    def __init__(self, margin):
        super().__init__()
        self.margin = margin

    def call(self, y_true, y_pred):
        sign = 2.0 * y_true - 1.0
        return tf.reduce_mean(tf.nn.relu(self.margin - sign * y_pred), axis=-1)
