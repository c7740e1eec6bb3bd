import keras
import tensorflow as tf

from .collecting import unique_variables


class Training:
    def __init__(self, model, batch=16):
        self.model = model
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
        variables = unique_variables(self.model.parts())
        grads = tape.gradient(loss, variables)
        self.optimizer.apply(grads, variables)
        return loss
