import keras
import tensorflow as tf

from . import terms


class FlowTracker:
    """A displacement field that explains the second image of each pair."""

    def __init__(self, side, learning_rate=0.05):
        self.flow = tf.Variable(tf.zeros([side, side, 2]), name="flow")
        self.optimizer = keras.optimizers.Adam(learning_rate)
        self.optimizer.build([self.flow])

    def refine(self, stage, first, second):
        error = 0.0
        for _ in range(2):
            error = self._iterate(tf.constant(first), tf.constant(second), tf.constant(stage.huber), tf.constant(stage.smooth))
        return float(error)

    @tf.function
    def _iterate(self, first, second, width, smooth):
        with tf.GradientTape() as tape:
            residual = terms.brightness(first, second, self.flow)
            data = terms.huber(residual, width)
            loss = data + smooth * terms.roughness(self.flow)
        grads = tape.gradient(loss, [self.flow])
        self.optimizer.apply(grads, [self.flow])
        return data
