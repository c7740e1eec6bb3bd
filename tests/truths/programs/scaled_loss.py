"""A loss-scaling optimizer in a loop of one's own."""

import keras
import numpy as np
import tensorflow as tf

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.01))
optimizer.build(model.trainable_variables)


@tf.function
def step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs, training=True) - targets) ** 2)
        scaled = optimizer.scale_loss(loss)
    gradients = tape.gradient(scaled, model.trainable_variables)
    optimizer.apply(gradients, model.trainable_variables)


for _ in range(3):
    step(x, y)
