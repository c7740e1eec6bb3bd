import numpy as np
import keras
import tensorflow as tf

from .gauges import windows
from .penalty import Annealer


class HarmonicFitter:
    """Least squares on cosines and sines of the given periods."""

    def __init__(self, config, n_gauges):
        self.config = config
        omega = 2 * np.pi / np.asarray(config.periods)
        self.omega = tf.constant(omega, tf.float32)
        self.coefs = tf.Variable(tf.zeros([n_gauges, 2 * len(config.periods)]))
        self.annealer = Annealer(config.smoothness, config.cooling, config.floor)
        self.optimizer = keras.optimizers.Adam(config.learning_rate)
        self.optimizer.build([self.coefs])
        self.rng = np.random.default_rng(config.seed)

    def run(self, levels, width=48):
        history = []
        for _ in range(self.config.steps):
            hours, window = windows(levels, width, self.rng)
            loss = self.step(hours, window, **self.annealer.options())
            self.annealer.advance()
            history.append(float(loss))
        return history

    def step(self, hours, window, **options):
        hours = tf.convert_to_tensor(hours)
        window = tf.convert_to_tensor(window)
        return self._update(hours, window, **options)

    @tf.function
    def _update(self, hours, window, weight):
        with tf.GradientTape() as tape:
            angle = hours[:, None] * self.omega
            basis = tf.concat([tf.cos(angle), tf.sin(angle)], axis=-1)
            predicted = tf.matmul(self.coefs, basis, transpose_b=True)
            misfit = tf.reduce_mean(tf.square(predicted - window))
            loss = misfit + weight * tf.reduce_mean(tf.square(self.coefs))
        gradient = tape.gradient(loss, self.coefs)
        self.optimizer.apply([gradient], [self.coefs])
        return misfit
