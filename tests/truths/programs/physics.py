"""A physics-informed network: second derivatives by two tapes."""

import keras
import tensorflow as tf

network = keras.Sequential([keras.Input([1]), keras.layers.Dense(8, "tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(1e-2)
optimizer.build(network.trainable_variables)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                u = network(x, training=True)
            slope = first.gradient(u, x)
        bend = second.gradient(slope, x)
        loss = tf.reduce_mean((bend + u) ** 2) + tf.reduce_mean((network(tf.zeros([1, 1])) - 1.0) ** 2)
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables, strict=True))
    return loss


for _ in range(3):
    step(tf.random.uniform([16, 1]))
