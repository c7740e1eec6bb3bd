"""WGAN-GP on a ring of Gaussians."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

LATENT = 4
N_CRITIC = 3


def mlp(n_in, n_out):
    return tf.keras.Sequential([
        layers.Input((n_in,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"),
        layers.Dense(n_out),
    ])


def ring(n, seed):
    rng = np.random.default_rng(seed)
    k = rng.integers(0, 8, n)
    centers = np.stack([np.cos(k * np.pi / 4), np.sin(k * np.pi / 4)], -1)
    return (centers + rng.normal(0, 0.05, (n, 2))).astype("float32")


class WGAN:
    def __init__(self, gp_weight=5.0, lr=4e-4):
        self.gen, self.critic = mlp(LATENT, 2), mlp(2, 1)
        self.gp_weight = gp_weight
        self.g_opt = tf.keras.optimizers.Adam(lr, beta_1=0.5)
        self.c_opt = tf.keras.optimizers.Adam(lr, beta_1=0.5)

    def fake(self, n, training):
        return self.gen(tf.random.normal([n, LATENT]), training=training)

    def gradient_penalty(self, real, fake):
        mix = tf.random.uniform([tf.shape(real)[0], 1])
        between = mix * real + (1.0 - mix) * fake
        with tf.GradientTape() as inner:
            inner.watch(between)
            score = self.critic(between, training=True)
        slope = tf.norm(inner.gradient(score, between) + 1e-8, axis=1)
        return tf.reduce_mean(tf.square(slope - 1.0))

    def _critic_loss(self, real):
        fake = tf.stop_gradient(self.fake(tf.shape(real)[0], training=True))
        wasserstein = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
        return wasserstein + self.gp_weight * self.gradient_penalty(real, fake)

    def _generator_loss(self, real):
        return -tf.reduce_mean(self.critic(self.fake(tf.shape(real)[0], training=True)))

    @tf.function
    def train_step(self, real):
        """N_CRITIC critic updates, then one generator update."""
        for _ in range(N_CRITIC):
            with tf.GradientTape() as tape:
                c_loss = self._critic_loss(real)
            variables = self.critic.trainable_variables
            self.c_opt.apply_gradients(zip(tape.gradient(c_loss, variables), variables))
        with tf.GradientTape() as tape:
            g_loss = self._generator_loss(real)
        variables = self.gen.trainable_variables
        self.g_opt.apply_gradients(zip(tape.gradient(g_loss, variables), variables))
        return c_loss, g_loss

    @tf.function
    def distance(self, real, squared=False):
        fake = self.fake(256, training=False)
        d = tf.reduce_min(tf.norm(fake[:, None] - real[None], axis=-1), axis=1)
        if squared:
            d = tf.square(d)
        return tf.reduce_mean(d)


def main():
    tf.keras.utils.set_random_seed(0)
    gan = WGAN()
    reference = tf.constant(ring(256, 99))
    ds = tf.data.Dataset.from_tensor_slices(ring(1024, 0)).shuffle(1024).batch(64, drop_remainder=True)
    for epoch in range(3):
        history = []
        for real in ds:
            c_loss, g_loss = gan.train_step(real)
            history.append((float(c_loss), float(g_loss)))
        c, g = np.mean(history, axis=0)
        print(f"epoch {epoch} critic {c:+.3f} gen {g:+.3f} dist {float(gan.distance(reference)):.3f}")
    print("mean squared distance", float(gan.distance(reference, squared=True)))


if __name__ == "__main__":
    main()
