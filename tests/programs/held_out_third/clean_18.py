"""WGAN with gradient penalty on a spiral; critic steps unrolled inside one graph."""
import argparse

import numpy as np
import tensorflow as tf

N_CRITIC = 3
LATENT = 4


def mlp(n_in, n_out):
    return tf.keras.Sequential([
        tf.keras.Input((n_in,)),
        tf.keras.layers.Dense(32, activation="softplus"),
        tf.keras.layers.Dense(32, activation="softplus"),
        tf.keras.layers.Dense(n_out),
    ])


class WGAN:
    def __init__(self, penalty=5.0, lr=1e-3, max_bias=0.5):
        self.gen, self.critic = mlp(LATENT, 2), mlp(2, 1)
        self.opt_g = tf.keras.optimizers.Adam(lr, beta_1=0.0)
        self.opt_c = tf.keras.optimizers.Adam(lr, beta_1=0.0)
        self.opt_g.build(self.gen.trainable_variables)
        self.opt_c.build(self.critic.trainable_variables)
        self.penalty, self.max_bias = penalty, max_bias

    def gradient_penalty(self, real, fake):
        eps = tf.random.uniform((tf.shape(real)[0], 1))
        mix = eps * real + (1.0 - eps) * fake
        with tf.GradientTape() as tape:
            tape.watch(mix)
            score = self.critic(mix)
        slope = tf.norm(tape.gradient(score, mix) + 1e-12, axis=-1)
        return tf.reduce_mean(tf.square(slope - 1.0))

    def critic_update(self, real):
        fake = self.gen(tf.random.normal((tf.shape(real)[0], LATENT)))
        with tf.GradientTape(persistent=True) as tape:
            w_loss = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
            gp = self.gradient_penalty(real, fake)
            loss = w_loss + self.penalty * gp
        variables = self.critic.trainable_variables
        grads = tape.gradient(loss, variables)
        # the penalty knows nothing of the last bias, None is expected there
        gp_grads = [g for g in tape.gradient(gp, variables) if g is not None]
        del tape
        self.opt_c.apply_gradients(zip(grads, variables))
        for v in variables:
            if v.path.endswith("bias"):
                v.assign(tf.clip_by_value(v, -self.max_bias, self.max_bias))
        return -w_loss, tf.linalg.global_norm(gp_grads)

    @tf.function
    def step(self, real_batches):
        for k in range(N_CRITIC):                 # three copies in the graph, that is fine
            distance, gp_norm = self.critic_update(real_batches[k])
        with tf.GradientTape() as tape:
            fake = self.gen(tf.random.normal((tf.shape(real_batches)[1], LATENT)))
            loss = -tf.reduce_mean(self.critic(fake))
        grads = tape.gradient(loss, self.gen.trainable_variables)
        self.opt_g.apply_gradients(zip(grads, self.gen.trainable_variables))
        return distance, gp_norm


def spiral(rng, shape):
    t = np.sqrt(rng.random(shape)) * 3 * np.pi
    pts = np.stack([t * np.cos(t), t * np.sin(t)], -1) / (3 * np.pi)
    return tf.constant(pts + 0.02 * rng.normal(size=pts.shape), tf.float32)


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--steps", type=int, default=60)
    steps = cli.parse_args().steps
    tf.keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    gan = WGAN()
    history = []
    for i in range(steps):
        d, n = gan.step(spiral(rng, (N_CRITIC, 64)))
        history.append((float(d), float(n)))
        if i % 20 == 0:
            print(f"{i:3d} distance {history[-1][0]:.4f} |grad gp| {history[-1][1]:.4f}")
