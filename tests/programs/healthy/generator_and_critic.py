"""Two models against each other, with an optimizer each."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

BATCH, NOISE = 32, 8


def make_generator():
    return tf.keras.Sequential(
        [layers.Dense(32, use_bias=False), layers.BatchNormalization(), layers.LeakyReLU(), layers.Dense(2)]
    )


def make_discriminator():
    return tf.keras.Sequential([layers.Dense(32), layers.LeakyReLU(), layers.Dropout(0.3), layers.Dense(1)])


generator, discriminator = make_generator(), make_discriminator()
cross = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)
seed = tf.random.normal([4, NOISE])


@tf.function
def train_step(real):
    noise = tf.random.normal([BATCH, NOISE])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(noise, training=True)
        r, f = discriminator(real, training=True), discriminator(fake, training=True)
        g_loss = cross(tf.ones_like(f), f)
        d_loss = cross(tf.ones_like(r), r) + cross(tf.zeros_like(f), f)
    g_opt.apply_gradients(
        zip(g_tape.gradient(g_loss, generator.trainable_variables), generator.trainable_variables)
    )
    d_opt.apply_gradients(
        zip(d_tape.gradient(d_loss, discriminator.trainable_variables), discriminator.trainable_variables)
    )
    return g_loss, d_loss


data = (
    tf.data.Dataset.from_tensor_slices(np.random.randn(320, 2).astype("float32"))
    .shuffle(320)
    .batch(BATCH, drop_remainder=True)
)
for epoch in range(8):
    for batch in data:
        g, d = train_step(batch)
    sample = generator(seed, training=False)
    print(epoch, float(g) > 0, sample.shape)
