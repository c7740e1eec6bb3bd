"""Spectrally normalised critic on 2-d toy data (two moons vs. noise)."""
import logging

import numpy as np
import tensorflow as tf

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger(__name__)


def l2norm(v, eps=1e-8):
    return v / (tf.norm(v) + eps)


def spectral_norm(w, iterations=1):
    """w / sigma(w), sigma from power iteration with a persistent u vector (Miyato et al.)."""
    u = tf.Variable(tf.random.normal((1, w.shape[-1])), trainable=False, name="sn_u")
    u_hat = u
    for _ in range(iterations):
        v_hat = l2norm(tf.matmul(u_hat, w, transpose_b=True))
        u_hat = l2norm(tf.matmul(v_hat, w))
    sigma = tf.matmul(tf.matmul(v_hat, w), u_hat, transpose_b=True)
    u.assign(tf.stop_gradient(u_hat))
    return w / sigma[0, 0]


class SNDense(tf.Module):
    def __init__(self, n_in, n_out, activation=None, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal((n_in, n_out), stddev=n_in ** -0.5), name="w")
        self.b = tf.Variable(tf.zeros(n_out), name="b")
        self.activation = activation or (lambda t: t)

    def __call__(self, x):
        return self.activation(x @ spectral_norm(self.w) + self.b)


class Critic(tf.Module):
    def __init__(self, widths=(2, 32, 32, 1)):
        super().__init__()
        acts = [tf.nn.leaky_relu] * (len(widths) - 2) + [None]
        self.layers = [
            SNDense(i, o, a, name=f"sn{k}")
            for k, (i, o, a) in enumerate(zip(widths, widths[1:], acts))
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def moons(n, rng):
    t = rng.uniform(0, np.pi, size=n)
    upper = rng.random(n) < 0.5
    x = np.where(upper, np.cos(t), 1 - np.cos(t))
    y = np.where(upper, np.sin(t), 0.5 - np.sin(t))
    return (np.stack([x, y], -1) + 0.05 * rng.normal(size=(n, 2))).astype(np.float32)


def hinge(real, fake):
    return tf.reduce_mean(tf.nn.relu(1.0 - real)) + tf.reduce_mean(tf.nn.relu(1.0 + fake))


def train(steps=60, batch=64, lr=2e-3, seed=0):
    rng = np.random.default_rng(seed)
    tf.random.set_seed(seed)
    critic = Critic()
    variables = list(critic.trainable_variables)
    opt = tf.keras.optimizers.Adam(lr, beta_1=0.0)
    opt.build(variables)

    @tf.function
    def step(real, fake):
        with tf.GradientTape() as tape:
            loss = hinge(critic(real), critic(fake))
        grads = tape.gradient(loss, variables)
        opt.apply_gradients(zip(grads, variables))
        return loss

    for i in range(steps):
        real = tf.constant(moons(batch, rng))
        fake = tf.random.uniform((batch, 2), -1.5, 2.5)
        loss = step(real, fake)
        if i % 20 == 0:
            log.info("step %d hinge %.4f", i, float(loss))
    return critic


if __name__ == "__main__":
    train()
