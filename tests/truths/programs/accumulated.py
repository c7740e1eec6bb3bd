"""Gradients that are accumulated in variables over batches."""

import keras
import numpy as np
import tensorflow as tf

x = np.random.rand(32, 4).astype("float32")
y = np.random.rand(32, 1).astype("float32")
model = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1)
optimizer.build(model.trainable_variables)
sums = [tf.Variable(tf.zeros_like(one), trainable=False) for one in model.trainable_variables]


@tf.function
def gather(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(inputs, training=True) - targets) ** 2)
    for total, one in zip(sums, tape.gradient(loss, model.trainable_variables), strict=True):
        total.assign_add(one)


@tf.function
def apply():
    optimizer.apply_gradients(zip([total / 4.0 for total in sums], model.trainable_variables, strict=True))
    for total in sums:
        total.assign(tf.zeros_like(total))


for start in range(0, 32, 8):
    gather(x[start : start + 8], y[start : start + 8])
apply()
