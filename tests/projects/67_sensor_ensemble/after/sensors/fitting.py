import keras
import tensorflow as tf


class Fitter:
    def __init__(self, ensemble):
        self.ensemble = ensemble
        self.optimizers = [keras.optimizers.Adam(0.01) for _ in ensemble]

    def _fit(self, network, optimizer, inputs, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(network(inputs) - targets))
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    def epoch(self, inputs, targets):
        for network, optimizer in zip(self.ensemble, self.optimizers):
            self._fit(network, optimizer, inputs, targets)
