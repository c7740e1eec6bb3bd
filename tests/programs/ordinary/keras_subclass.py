"""A model with a train_step of its own, an auxiliary loss handed over on `self`, and metrics."""
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)


class Sampling(keras.layers.Layer):
    def __init__(self, scale=0.1):
        super().__init__()
        self.scale = scale
        self.seed_generator = keras.random.SeedGenerator(1)

    def call(self, inputs):
        mean, deviation = inputs
        noise = keras.random.normal(tf.shape(mean), seed=self.seed_generator)
        return mean + self.scale * tf.exp(deviation) * noise


class Autoencoder(keras.Model):
    def __init__(self, size=2, beta=0.5):
        super().__init__()
        self.beta = beta
        self.mean, self.deviation = keras.layers.Dense(size), keras.layers.Dense(size)
        self.sampling = Sampling()
        self.decoder = keras.Sequential([keras.layers.Dense(4)])
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.epochs_done = 0

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, x):
        mean, deviation = self.mean(x), self.deviation(x)
        self.divergence = tf.reduce_mean(tf.square(mean) + tf.exp(deviation) - deviation)
        return self.decoder(self.sampling([mean, deviation]))

    def train_step(self, data):
        with tf.GradientTape() as tape:
            y = self(data, training=True)
            loss = tf.reduce_mean(tf.square(y - data)) + self.beta * self.divergence
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {metric.name: metric.result() for metric in self.metrics}


class Count(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.epochs_done += 1


model = Autoencoder()
model.compile(keras.optimizers.Adam(1e-2))
data = tf.data.Dataset.from_tensor_slices(tf.random.normal([32, 4])).batch(8, drop_remainder=True)
model.fit(data, epochs=3, verbose=0, callbacks=[Count()])
print(model.epochs_done)
