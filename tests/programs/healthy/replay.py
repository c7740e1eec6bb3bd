"""An agent that learns from what it remembers."""

import collections
import random

import numpy as np
import tensorflow as tf

random.seed(0)
np.random.seed(0)
tf.random.set_seed(0)


class Agent:
    def __init__(self, states, actions):
        self.online, self.target = self._net(states, actions), self._net(states, actions)
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.memory = collections.deque(maxlen=1000)
        self.epsilon, self.gamma, self.actions = 1.0, tf.constant(0.99), actions
        self.updates = 0

    def _net(self, s, a):
        return tf.keras.Sequential(
            [tf.keras.Input([s]), tf.keras.layers.Dense(24, "relu"), tf.keras.layers.Dense(a)]
        )

    @tf.function
    def values(self, states):
        return self.online(states)

    def act(self, state):
        if random.random() < self.epsilon:
            return random.randrange(self.actions)
        return int(tf.argmax(self.values(tf.constant(state[None], tf.float32))[0]))

    @tf.function
    def learn(self, s, a, r, n, d):
        future = tf.reduce_max(self.target(n), axis=1)
        wanted = r + self.gamma * future * (1.0 - d)
        with tf.GradientTape() as tape:
            q = tf.reduce_sum(self.online(s) * tf.one_hot(a, self.actions), axis=1)
            loss = tf.reduce_mean(tf.square(wanted - q))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.online.trainable_variables), self.online.trainable_variables)
        )
        return loss

    def replay(self, size=32):
        if len(self.memory) < size:
            return
        batch = random.sample(self.memory, size)
        s, a, r, n, d = map(np.array, zip(*batch))
        self.learn(
            tf.constant(s, tf.float32),
            tf.constant(a, tf.int32),
            tf.constant(r, tf.float32),
            tf.constant(n, tf.float32),
            tf.constant(d, tf.float32),
        )
        self.updates += 1
        self.epsilon = max(0.05, self.epsilon * 0.99)


agent = Agent(4, 2)
for episode in range(15):
    state, total = np.random.rand(4), 0.0
    for t in range(20):
        action = agent.act(state)
        after, reward, done = np.random.rand(4), float(action == (state[0] > 0.5)), t == 19
        agent.memory.append((state, action, reward, after, float(done)))
        state = after
        total += reward
        agent.replay()
    if episode % 5 == 0:
        agent.target.set_weights(agent.online.get_weights())
print(agent.updates)
