import random

import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.fast_step = tf.function(self._step, input_signature=[tf.TensorSpec([None, 8]), tf.TensorSpec([None, 1])])

    def _noisy(self, inputs):
        scale = random.uniform(0.9, 1.1)  # <- GD208
        return inputs * scale

    def _step(self, inputs, targets):
        with tf.GradientTape() as tape:
            outputs = self.model(self._noisy(inputs), training=True)
            loss = tf.reduce_mean(tf.square(outputs - targets))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def fit(self, data):
        for inputs, targets in data:
            print("loss", float(self.fast_step(inputs, targets)))
