"""Deep Q-learning with the Python parts outside the traced functions."""
import random
from collections import deque
from typing import NamedTuple

import numpy as np
import tensorflow as tf


class Batch(NamedTuple):
    state: tf.Tensor
    action: tf.Tensor
    reward: tf.Tensor
    following: tf.Tensor


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)
        self.pushed = 0

    def push(self, item):
        self.items.append(item)
        self.pushed += 1

    def sample(self, n):
        state, action, reward, following = zip(*random.sample(self.items, n))
        return Batch(tf.constant(np.stack(state)), tf.constant(action, tf.int32),
                     tf.constant(reward, tf.float32), tf.constant(np.stack(following)))


class Agent:
    def __init__(self, n, actions):
        self.actions = actions
        self.online, self.target = self._net(n), self._net(n)
        self.target.set_weights(self.online.get_weights())
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.optimizer.build(self.online.trainable_variables)
        self.epsilon = 1.0
        self.history = []

    def _net(self, n):
        return tf.keras.Sequential([tf.keras.Input([n]), tf.keras.layers.Dense(16, activation="relu"),
                                    tf.keras.layers.Dense(self.actions)])

    @tf.function
    def greedy(self, states):
        return tf.argmax(self.online(states), axis=-1)

    def act(self, state):
        if random.random() < self.epsilon:
            return random.randrange(self.actions)
        return int(self.greedy(tf.constant(state[None]))[0])

    @tf.function
    def learn(self, batch):
        goal = batch.reward + 0.9 * tf.reduce_max(self.target(batch.following), axis=1)
        with tf.GradientTape() as tape:
            value = tf.gather(self.online(batch.state), batch.action, batch_dims=1)
            loss = tf.reduce_mean(tf.square(tf.stop_gradient(goal) - value))
        variables = self.online.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def after_episode(self, loss):
        self.history.append(float(loss))
        self.epsilon = max(0.05, self.epsilon * 0.8)
        if len(self.history) % 3 == 0:
            self.target.set_weights(self.online.get_weights())


def main():
    random.seed(11)
    tf.keras.utils.set_random_seed(11)
    agent, replay = Agent(4, 2), Replay(300)
    for episode in range(6):
        state = np.random.normal(size=4).astype("float32")
        for _ in range(12):
            action = agent.act(state)
            following = np.random.normal(size=4).astype("float32")
            replay.push((state, action, float(state[0] * (1 if action else -1)), following))
            state = following
        agent.after_episode(agent.learn(replay.sample(8)))
    print("epsilon %.2f pushed %d losses %d" % (agent.epsilon, replay.pushed, len(agent.history)))


if __name__ == "__main__":
    main()
