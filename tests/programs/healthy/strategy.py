"""A loop of one's own under a distribution strategy."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
GLOBAL = 32
with strategy.scope():
    model = tf.keras.Sequential(
        [tf.keras.Input([8]), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)]
    )
    optimizer = tf.keras.optimizers.SGD(1e-2)
    optimizer.build(model.trainable_variables)
    mse = tf.keras.losses.MeanSquaredError(reduction="none")


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss(mse(y, model(x, training=True)), global_batch_size=GLOBAL)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def distributed(x, y):
    losses = strategy.run(step, args=(x, y))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


x = np.random.rand(320, 8).astype("float32")
y = x.sum(1, keepdims=True)
data = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((x, y)).batch(GLOBAL))
for epoch in range(4):
    total = 0.0
    for bx, by in data:
        total += distributed(bx, by)
    print(epoch, float(total) > 0)
