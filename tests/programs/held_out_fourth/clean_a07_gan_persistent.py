"""GAN step with one persistent tape and two optimizers."""
import numpy as np
import tensorflow as tf
import keras


def mlp(n_in, n_out):
    return keras.Sequential([keras.Input((n_in,)), keras.layers.Dense(16, activation="relu"),
                             keras.layers.Dense(n_out)])


class Gan(keras.Model):
    def __init__(self, noise=3):
        super().__init__()
        self.noise = noise
        self.gen, self.disc = mlp(noise, 2), mlp(2, 1)
        self.g_mean = keras.metrics.Mean(name="g_loss")
        self.d_mean = keras.metrics.Mean(name="d_loss")

    def compile(self, g_opt, d_opt):
        super().compile()
        self.g_opt, self.d_opt = g_opt, d_opt
        self.bce = keras.losses.BinaryCrossentropy(from_logits=True)

    @property
    def metrics(self):
        return [self.g_mean, self.d_mean]

    def train_step(self, real):
        z = tf.random.normal([tf.shape(real)[0], self.noise])
        with tf.GradientTape(persistent=True) as tape:
            fake = self.gen(z, training=True)
            r, f = self.disc(real, training=True), self.disc(fake, training=True)
            d_loss = self.bce(tf.ones_like(r), r) + self.bce(tf.zeros_like(f), f)
            g_loss = self.bce(tf.ones_like(f), f)
        pairs = [(self.d_opt, d_loss, self.disc), (self.g_opt, g_loss, self.gen)]
        for opt, loss, part in pairs:
            grads = tape.gradient(loss, part.trainable_variables)
            opt.apply_gradients(zip(grads, part.trainable_variables))
        del tape
        self.g_mean.update_state(g_loss)
        self.d_mean.update_state(d_loss)
        return {m.name: m.result() for m in self.metrics}


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    angle = np.random.default_rng(0).uniform(0, 6.28, 256)
    points = np.stack([np.cos(angle), np.sin(angle)], 1).astype("float32")
    gan = Gan()
    gan.compile(keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3))
    history = gan.fit(points, batch_size=64, epochs=4, verbose=0).history
    print({k: [round(float(v), 3) for v in vs] for k, vs in history.items()})
