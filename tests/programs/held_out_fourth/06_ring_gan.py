"""GAN on points of a ring."""
import numpy as np
import tensorflow as tf
import keras


class Trainer:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def minimize(self, tape, loss, model):
        variables = model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


def mlp(n_in, n_out, name):
    return keras.Sequential([keras.Input((n_in,)),
                             keras.layers.Dense(24, activation="relu"),
                             keras.layers.Dense(n_out)], name=name)


class GanTrainer(Trainer):
    def __init__(self, noise=4, lr=1e-3):
        super().__init__(keras.optimizers.Adam(lr, beta_1=0.5))
        self.noise = noise
        self.gen = mlp(noise, 2, "gen")
        self.disc = mlp(2, 1, "disc")
        self.bce = keras.losses.BinaryCrossentropy(from_logits=True)

    def disc_loss(self, real, fake):
        lr, lf = self.disc(real), self.disc(fake)
        return self.bce(tf.ones_like(lr), lr) + self.bce(tf.zeros_like(lf), lf)

    @tf.function
    def step(self, real):
        z = tf.random.normal([tf.shape(real)[0], self.noise])
        with tf.GradientTape() as tape:
            d_loss = self.disc_loss(real, self.gen(z))
        self.minimize(tape, d_loss, self.disc)
        with tf.GradientTape() as tape:
            logits = self.disc(self.gen(z))
            g_loss = self.bce(tf.ones_like(logits), logits)
        self.minimize(tape, g_loss, self.gen)
        return d_loss, g_loss


def ring(n=512, seed=0):
    a = np.random.default_rng(seed).uniform(0, 2 * np.pi, n)
    return np.stack([np.cos(a), np.sin(a)], 1).astype("float32")


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    trainer = GanTrainer()
    ds = tf.data.Dataset.from_tensor_slices(ring()).batch(64)
    for epoch in range(3):
        for real in ds:
            d, g = trainer.step(real)
        print(f"epoch {epoch} d {float(d):.3f} g {float(g):.3f}")
