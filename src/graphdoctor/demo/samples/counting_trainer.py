"""A training loop that passes its step counter, and crawls."""

import tensorflow as tf

weights = tf.Variable(tf.random.normal([16, 1], seed=1))
inputs = tf.random.normal([64, 16], seed=2)
targets = tf.reduce_sum(inputs, axis=1, keepdims=True)


@tf.function
def train_step(inputs, targets, step):
    rate = 0.1 / (1.0 + 0.01 * tf.cast(step, tf.float32))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(inputs @ weights - targets))
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


for step in range(40):
    loss = train_step(inputs, targets, step)
print("loss", float(loss))
