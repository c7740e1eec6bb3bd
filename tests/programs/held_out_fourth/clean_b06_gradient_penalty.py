"""WGAN-GP on one-dimensional data."""
import keras
import numpy as np
import tensorflow as tf


def mlp(n_in):
    return keras.Sequential([
        keras.Input((n_in,)),
        keras.layers.Dense(16, activation="tanh"),
        keras.layers.Dense(1),
    ])


critic, generator = mlp(1), mlp(2)
critic_opt = keras.optimizers.Adam(5e-3, beta_1=0.5)
generator_opt = keras.optimizers.Adam(5e-3, beta_1=0.5)


def penalty(real, fake):
    mix = tf.random.uniform([tf.shape(real)[0], 1])
    between = mix * real + (1.0 - mix) * fake
    with tf.GradientTape() as inner:
        inner.watch(between)
        score = critic(between, training=True)
    slope = inner.gradient(score, between)
    norm = tf.sqrt(tf.reduce_sum(tf.square(slope), axis=1) + 1e-12)
    return tf.reduce_mean(tf.square(norm - 1.0))


@tf.function
def critic_step(real):
    fake = generator(tf.random.normal([tf.shape(real)[0], 2]), training=True)
    with tf.GradientTape() as tape:
        gap = tf.reduce_mean(critic(fake, training=True)) - tf.reduce_mean(critic(real, training=True))
        loss = gap + 10.0 * penalty(real, fake)
    grads = tape.gradient(loss, critic.trainable_variables)
    critic_opt.apply_gradients(zip(grads, critic.trainable_variables))
    return -gap


@tf.function
def generator_step(n):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(tf.random.normal([n, 2]), training=True), training=True))
    grads = tape.gradient(loss, generator.trainable_variables)
    generator_opt.apply_gradients(zip(grads, generator.trainable_variables))
    return loss


def main():
    keras.utils.set_random_seed(0)
    data = np.random.default_rng(0).normal(2.0, 0.5, size=(256, 1)).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices(data).shuffle(256).batch(32).repeat(6)
    for i, real in enumerate(ds):
        gap = critic_step(real)
        if i % 3 == 2:
            generator_step(tf.constant(32))
        if i % 16 == 15:
            made = generator(tf.random.normal([200, 2])).numpy()
            print("step %d gap %.3f mean %.2f" % (i + 1, float(gap), made.mean()))


if __name__ == "__main__":
    main()
