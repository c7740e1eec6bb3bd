"""A gradient penalty: a tape inside a tape."""

import keras
import numpy as np
import tensorflow as tf

critic = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
optimizer.build(critic.trainable_variables)


@tf.function
def step(real, fake):
    with tf.GradientTape() as tape:
        mixed = (real + fake) / 2
        with tf.GradientTape() as inner:
            inner.watch(mixed)
            judged = critic(mixed, training=True)
        slopes = inner.gradient(judged, mixed)
        penalty = tf.reduce_mean((tf.norm(slopes, axis=1) - 1) ** 2)
        loss = tf.reduce_mean(critic(fake) - critic(real)) + penalty
    gradients = tape.gradient(loss, critic.trainable_variables[:2])
    optimizer.apply([*gradients, *(tf.zeros_like(one) for one in critic.trainable_variables[2:])])
    return loss


for _ in range(3):
    step(tf.constant(np.random.rand(6, 4), tf.float32), tf.constant(np.random.rand(6, 4), tf.float32))
