"""REINFORCE with a fixed horizon."""

import keras
import numpy as np
import tensorflow as tf

policy = keras.Sequential([keras.Input([4]), keras.layers.Dense(2)])
optimizer = keras.optimizers.Adam(0.01)
optimizer.build(policy.trainable_variables)


@tf.function
def learn(states, actions, returns):
    with tf.GradientTape() as tape:
        chances = tf.nn.log_softmax(policy(states, training=True))
        chosen = tf.gather(chances, actions, batch_dims=1)
        loss = -tf.reduce_mean(chosen * returns)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables, strict=True))
    return loss


for _ in range(4):
    states = tf.constant(np.random.rand(10, 4), tf.float32)
    actions = tf.random.categorical(policy(states), 1)[:, 0]
    learn(states, actions, tf.constant(np.random.rand(10), tf.float32))
