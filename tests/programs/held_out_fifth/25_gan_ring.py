"""Tiny GAN on a ring of points; both players share one compiled update."""
import numpy as np
import tensorflow as tf
from keras import Sequential, layers, losses, optimizers

LATENT = 4
bce = losses.BinaryCrossentropy(from_logits=True)


def mlp(n_in, n_out):
    return Sequential([layers.Input((n_in,)), layers.Dense(32, activation="relu"), layers.Dense(n_out)])


class Player:
    def __init__(self, net, lr):
        self.net = net
        self.opt = optimizers.Adam(lr, beta_1=0.5)

    @property
    def weights(self):
        return self.net.trainable_variables


gen = Player(mlp(LATENT, 2), 1e-3)
disc = Player(mlp(2, 1), 2e-3)


def disc_loss(real, z):
    fake = gen.net(z, training=True)
    r, f = disc.net(real, training=True), disc.net(fake, training=True)
    return bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)


def gen_loss(real, z):
    f = disc.net(gen.net(z, training=True), training=True)
    return bce(tf.ones_like(f), f)


@tf.function
def play(player, objective, real, z):
    with tf.GradientTape() as tape:
        loss = objective(real, z)
    grads = tape.gradient(loss, player.weights)
    player.opt.apply_gradients(zip(grads, player.weights))
    return loss


def ring(n, rng):
    a = rng.uniform(0, 2 * np.pi, n)
    pts = np.stack([np.cos(a), np.sin(a)], 1) + 0.05 * rng.normal(size=(n, 2))
    return tf.constant(pts, tf.float32)


def main():
    rng = np.random.default_rng(0)
    for it in range(30):
        real, z = ring(64, rng), tf.random.normal([64, LATENT])
        d = play(disc, disc_loss, real, z)
        g = play(gen, gen_loss, real, z)
        if it % 10 == 0:
            print(it, "D", float(d), "G", float(g))


if __name__ == "__main__":
    main()
