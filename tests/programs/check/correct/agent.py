import random
from collections import deque

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, actions, gamma=0.99):
        self.memory = deque(maxlen=1000)
        self.gamma = gamma
        self.epsilon = 1.0
        self.actions = actions
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(actions)])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def act(self, state):
        self.epsilon = max(0.01, self.epsilon * 0.995)
        if random.random() < self.epsilon:
            return random.randrange(self.actions)
        return int(np.argmax(self.model(state[None]).numpy()[0]))

    def replay(self, size):
        batch = random.sample(self.memory, size)
        states, actions, rewards = (np.array(part, np.float32) for part in zip(*batch))
        return self.learn(states, tf.cast(actions, tf.int32), rewards)

    @tf.function
    def learn(self, states, actions, rewards):
        target = rewards + self.gamma * tf.reduce_max(self.model(states), axis=-1)
        with tf.GradientTape() as tape:
            chosen = tf.reduce_sum(self.model(states) * tf.one_hot(actions, self.actions), axis=-1)
            loss = tf.reduce_mean(tf.square(tf.stop_gradient(target) - chosen))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss
