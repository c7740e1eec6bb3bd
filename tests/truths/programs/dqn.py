"""A small DQN: a target network, a replay buffer, actions of the model called directly."""

import keras
import numpy as np
import tensorflow as tf

online = keras.Sequential([keras.Input([4]), keras.layers.Dense(8, "relu"), keras.layers.Dense(2)])
target = keras.models.clone_model(online)
optimizer = keras.optimizers.Adam(1e-3)
optimizer.build(online.trainable_variables)
buffer = []


@tf.function
def act(state):
    return tf.argmax(online(state), axis=1)


@tf.function
def learn(states, actions, rewards, following):
    best = tf.reduce_max(target(following), axis=1)
    wanted = tf.stop_gradient(rewards + 0.9 * best)
    with tf.GradientTape() as tape:
        values = tf.gather(online(states, training=True), actions, batch_dims=1)
        loss = tf.reduce_mean((values - wanted) ** 2)
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables, strict=True))


state = np.zeros(4, np.float32)
for count in range(24):
    action = int(act(tf.constant(state[None]))[0])
    following = np.random.rand(4).astype(np.float32)
    buffer.append((state, action, 1.0, following))
    state = following
    if count >= 8:
        chosen = [buffer[at] for at in np.random.randint(len(buffer), size=4)]
        states, actions, rewards, after = (np.array(part) for part in zip(*chosen, strict=True))
        learn(tf.constant(states), tf.constant(actions), tf.constant(rewards, tf.float32), tf.constant(after))
target.set_weights(online.get_weights())
