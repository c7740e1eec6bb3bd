import keras
import tensorflow as tf

from .watch import NormWatch


class ShrinkageRegressor:
    def __init__(self, settings):
        self.clip = tf.Variable(settings.clip, trainable=False)
        self.watch = NormWatch(settings.patience)
        self.weights = [tf.Variable(tf.zeros([10, 1])), tf.Variable(tf.zeros([1]))]
        self.optimizer = keras.optimizers.SGD(settings.learning_rate)
        self.optimizer.build(self.weights)

    def update(self, curve, shrink):
        loss, norm = self._update(curve, shrink)
        norm = norm.numpy()
        if self.watch.exceeded(norm, 0.2 * self.clip):
            self.clip.assign(0.5 * norm)
        return float(loss)

    @tf.function
    def _update(self, curve, shrink):
        with tf.GradientTape() as tape:
            error = curve @ self.weights[0] + self.weights[1] - shrink
            loss = tf.reduce_mean(tf.square(error))
        grads, norm = tf.clip_by_global_norm(tape.gradient(loss, self.weights), self.clip)
        self.optimizer.apply(grads, self.weights)
        return loss, norm
