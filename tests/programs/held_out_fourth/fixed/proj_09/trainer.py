import keras
import tensorflow as tf


class Trainer:
    def __init__(self, model, objective, lr):
        self.model = model
        self.objective = objective
        self.optimizer = keras.optimizers.Adam(lr)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.objective(y, self.model(x, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def epochs(self, ds, count):
        for i in range(count):
            mean = keras.metrics.Mean()
            for x, y in ds:
                mean.update_state(self.step(x, y))
            yield i, float(mean.result())
