"""A loop of one's own in mixed precision."""

import numpy as np
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
inputs = tf.keras.Input([16])
x = tf.keras.layers.Dense(32, "relu")(inputs)
outputs = tf.keras.layers.Activation("softmax", dtype="float32")(tf.keras.layers.Dense(4)(x))
model = tf.keras.Model(inputs, outputs)
optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(1e-2))
scce = tf.keras.losses.SparseCategoricalCrossentropy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = scce(y, model(x, training=True))
        scaled = optimizer.scale_loss(loss)
    optimizer.apply_gradients(
        zip(tape.gradient(scaled, model.trainable_variables), model.trainable_variables)
    )
    return loss


x = np.random.rand(256, 16).astype("float32")
y = np.random.randint(0, 4, 256)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
for epoch in range(4):
    for bx, by in data:
        loss = train_step(bx, by)
    print(epoch, loss.dtype)
tf.keras.mixed_precision.set_global_policy("float32")
