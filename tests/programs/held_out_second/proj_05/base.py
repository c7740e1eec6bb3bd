import abc

import tensorflow as tf


class Trainer(abc.ABC):
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.optimizer.build(model.trainable_variables)

    @abc.abstractmethod
    def objective(self, batch, progress):
        ...

    @tf.function
    def train_step(self, batch, progress):
        with tf.GradientTape() as tape:
            loss = self.objective(batch, progress)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, data, epochs):
        for epoch in range(epochs):
            progress = epoch / epochs
            for batch in data:
                loss = self.train_step(batch, progress)
        return float(loss)
