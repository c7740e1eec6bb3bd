import tensorflow as tf


def ring(batch, seed=3):
    """Endless batches of points on a noisy ring."""
    generator = tf.random.Generator.from_seed(seed)
    while True:
        angle = generator.uniform([batch, 1], 0.0, 6.2832)
        radius = 1.0 + 0.05 * generator.normal([batch, 1])
        yield tf.concat([radius * tf.cos(angle), radius * tf.sin(angle)], axis=1)
