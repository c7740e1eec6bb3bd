import keras
import tensorflow as tf


class Fitter:
    def __init__(self, ensemble):
        self.ensemble = ensemble
        self.optimizer = keras.optimizers.Adam(0.01)

    def _fit(self, network, inputs, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(network(inputs) - targets))
        variables = network.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    def epoch(self, inputs, targets):
        for network in self.ensemble:
            self._fit(network, inputs, targets)
