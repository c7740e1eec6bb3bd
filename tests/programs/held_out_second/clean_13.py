"""Gradient penalty: tape.gradient inside an outer tape, the inner source is watched."""
import numpy as np
import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(5e-3)
optimizer.build(critic.trainable_variables)


def penalty(real, fake):
    mix = tf.random.uniform([tf.shape(real)[0], 1])
    points = mix * real + (1 - mix) * fake
    with tf.GradientTape() as inner:
        inner.watch(points)
        score = critic(points)
    slope = tf.norm(inner.gradient(score, points) + 1e-12, axis=1)
    return tf.reduce_mean(tf.square(slope - 1.0))


@tf.function
def critic_step(real, fake):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty(real, fake)
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))
    return loss


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    for _ in range(30):
        real = tf.constant(rng.normal(2, 1, (32, 2)), tf.float32)
        fake = tf.constant(rng.normal(0, 1, (32, 2)), tf.float32)
        loss = critic_step(real, fake)
    print("loss %.3f" % float(loss))
