"""Adversarial pair: a factory makes one compiled step per player, once."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


def net(n_in, n_out):
    return keras.Sequential([layers.Input((n_in,)), layers.Dense(16, activation="relu"), layers.Dense(n_out)])


G, D = net(3, 2), net(2, 1)
bce = keras.losses.BinaryCrossentropy(from_logits=True)


def d_loss(real, z):
    r, f = D(real), D(tf.stop_gradient(G(z)))
    return bce(tf.ones_like(r), r) + bce(tf.zeros_like(f), f)


def g_loss(real, z):
    f = D(G(z))
    return bce(tf.ones_like(f), f)


def make_update(model, loss_fn, lr):
    opt = keras.optimizers.Adam(lr)

    @tf.function
    def update(real, z):
        with tf.GradientTape() as tape:
            loss = loss_fn(real, z)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return update


UPDATES = {"d": make_update(D, d_loss, 1e-3), "g": make_update(G, g_loss, 5e-4)}


def main():
    rng = np.random.default_rng(0)
    curves = {name: [] for name in UPDATES}
    for it in range(20):
        real = tf.constant(rng.normal(loc=2.0, size=(32, 2)), tf.float32)
        z = tf.random.normal([32, 3])
        for name, update in UPDATES.items():
            curves[name].append(float(update(real, z)))
    print({k: round(v[-1], 4) for k, v in curves.items()})


if __name__ == "__main__":
    main()
