import keras
import tensorflow as tf


class Autoencoder(keras.Model):
    def __init__(self, width):
        super().__init__()
        self.encoder = keras.layers.Dense(width)
        self.decoder = keras.layers.Dense(784)
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def call(self, inputs, training=False):
        hidden = self.encoder(inputs)
        if training:
            hidden += tf.random.normal(tf.shape(hidden), stddev=0.1)
        return self.decoder(hidden)

    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.mse(data, self(data, training=True)))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        self.tracker.update_state(loss)
        return {m.name: m.result() for m in self.metrics}

    @tf.function
    def sample(self, number):
        draws = tf.TensorArray(tf.float32, size=number)
        for index in tf.range(number):
            draws = draws.write(index, self.decoder(tf.random.normal([1, 8]))[0])
        return draws.stack()
