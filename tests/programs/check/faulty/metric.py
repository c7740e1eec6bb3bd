import keras
import tensorflow as tf


class Streak(keras.metrics.Metric):
    def __init__(self, name="streak"):
        super().__init__(name=name)
        self.length = self.add_weight(name="length", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        right = tf.reduce_all(tf.equal(tf.argmax(y_pred, -1), tf.cast(y_true, tf.int64)))
        if right:  # <- GD701
            self.length.assign_add(1.0)
        else:
            self.length.assign(0.0)

    def result(self):
        return self.length
