import time

import tensorflow as tf

cross = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def discriminator_loss(real, fake):
    return cross(tf.ones_like(real), real) + cross(tf.zeros_like(fake), fake)


@tf.function
def step(images, generator, discriminator, generator_optimizer, discriminator_optimizer):
    noise = tf.random.normal([tf.shape(images)[0], 100])
    with tf.GradientTape() as generator_tape, tf.GradientTape() as discriminator_tape:
        generated = generator(noise, training=True)
        real, fake = discriminator(images, training=True), discriminator(generated, training=True)
        generator_loss = cross(tf.ones_like(fake), fake)
        loss = discriminator_loss(real, fake)
    gradients = generator_tape.gradient(generator_loss, generator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    gradients = discriminator_tape.gradient(loss, discriminator.trainable_variables)
    discriminator_optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
    return {"generator": generator_loss, "discriminator": loss}


def train(data, epochs, **parts):
    history = []
    for epoch in range(epochs):
        start = time.time()
        for batch in data:
            history.append({name: float(value) for name, value in step(batch, **parts).items()})
        print(f"epoch {epoch}: {time.time() - start:.1f} s", history[-1])
