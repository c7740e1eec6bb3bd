import keras
import tensorflow as tf

from .collecting import unique_variables


class Training:
    def __init__(self, model, batch=16):
        self.model = model
        self.variables = unique_variables(model.parts())
        self.optimizer = keras.optimizers.Adam(1e-2)
        self.batch = batch

    def epoch(self, radar, moisture):
        data = tf.data.Dataset.from_tensor_slices((radar, moisture)).batch(self.batch)
        total = 0.0
        for x, y in data:
            total += float(self.step(x, y))
        return total / len(data)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        grads = tape.gradient(loss, self.variables)
        self.optimizer.apply(grads, self.variables)
        return loss
