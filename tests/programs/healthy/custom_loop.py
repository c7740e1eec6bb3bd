"""A loop of one's own with a smaller last batch, and figures kept on the trainer."""

import time

import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(1e-2)
        self.loss = tf.keras.metrics.Mean()
        self.epoch = 0
        self.best = float("inf")

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        self.loss.update_state(loss)
        return loss

    def train(self, data, epochs):
        for self.epoch in range(epochs):
            begun = time.time()
            self.loss.reset_state()
            for x, y in data:
                self.step(x, y)
            value = float(self.loss.result())
            if value < self.best:
                self.best = value
            print(f"epoch {self.epoch}: {value:.4f} {time.time() - begun > 0}")


x = np.random.rand(500, 8).astype("float32")
y = x.sum(1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(500).batch(64).prefetch(2)
Trainer().train(data, 6)
