"""A trainer whose batches are padded to their own longest sentence, each to another length."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
model.build([None, None, 4])
optimizer.build(model.trainable_variables)


@tf.function
def train_step(frames, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(frames) - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(3):
    for length in (31, 47, 52, 38, 64, 55):
        frames = tf.random.normal([8, length, 4])
        loss = train_step(frames, tf.reduce_sum(frames, axis=-1, keepdims=True))
print("loss", float(loss))
