"""Critic with a penalty on the slope between real and generated samples."""
import tensorflow as tf


class PenaltyMixin:
    penalty_weight = 10.0

    def mix(self, real, fake):
        alpha = tf.random.uniform([tf.shape(real)[0], 1])
        return real + alpha * (fake - real)

    def slope_penalty(self, critic, real, fake):
        mixed = self.mix(real, fake)
        with tf.GradientTape() as inner:
            score = critic(mixed, training=True)
        slopes = inner.gradient(score, mixed)
        norms = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=1) + 1e-12)
        return self.penalty_weight * tf.reduce_mean(tf.square(norms - 1.0))


class WassersteinTrainer(PenaltyMixin, tf.Module):
    def __init__(self, dim=2, noise=4):
        super().__init__()
        self.noise = noise
        dense = tf.keras.layers.Dense
        self.critic = tf.keras.Sequential([tf.keras.Input([dim]), dense(32, activation="elu"), dense(1)])
        self.generator = tf.keras.Sequential([tf.keras.Input([noise]), dense(32, activation="elu"), dense(dim)])
        self.critic_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.0)
        self.generator_opt = tf.keras.optimizers.Adam(1e-3, beta_1=0.0)

    def draw(self, n):
        return self.generator(tf.random.normal([n, self.noise]), training=True)

    @tf.function
    def critic_step(self, real):
        fake = self.draw(tf.shape(real)[0])
        with tf.GradientTape() as tape:
            gap = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
            loss = gap + self.slope_penalty(self.critic, real, fake)
        v = self.critic.trainable_variables
        self.critic_opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    @tf.function
    def generator_step(self, n):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.draw(n)))
        v = self.generator.trainable_variables
        self.generator_opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss


def main():
    tf.keras.utils.set_random_seed(21)
    trainer = WassersteinTrainer()
    for _ in range(4):
        angle = tf.random.uniform([64, 1], 0.0, 6.283)
        c = trainer.critic_step(tf.concat([tf.cos(angle), tf.sin(angle)], axis=1))
        g = trainer.generator_step(tf.constant(64))
    print("critic %.3f generator %.3f" % (float(c), float(g)))


main()
