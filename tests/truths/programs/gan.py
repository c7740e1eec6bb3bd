"""A GAN: two models, two optimizers, one step for each."""

import keras
import numpy as np
import tensorflow as tf

noise_size = 3
generator = keras.Sequential([keras.Input([noise_size]), keras.layers.Dense(4)])
discriminator = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
for_generator, for_discriminator = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)
for_generator.build(generator.trainable_variables)
for_discriminator.build(discriminator.trainable_variables)
loss = keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def step(real):
    noise = tf.random.normal([tf.shape(real)[0], noise_size])
    with tf.GradientTape() as first, tf.GradientTape() as second:
        fake = generator(noise, training=True)
        judged_real, judged_fake = discriminator(real, training=True), discriminator(fake, training=True)
        fooled = loss(tf.ones_like(judged_fake), judged_fake)
        right = loss(tf.ones_like(judged_real), judged_real) + loss(tf.zeros_like(judged_fake), judged_fake)
    of_generator = first.gradient(fooled, generator.trainable_variables)
    of_discriminator = second.gradient(right, discriminator.trainable_variables)
    for_generator.apply_gradients(zip(of_generator, generator.trainable_variables, strict=True))
    for_discriminator.apply_gradients(zip(of_discriminator, discriminator.trainable_variables, strict=True))


for _ in range(4):
    step(tf.constant(np.random.rand(8, 4), tf.float32))
