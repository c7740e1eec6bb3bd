"""Q-learning on a corridor of ten cells."""
import collections
import random

import keras
import numpy as np
import tensorflow as tf

Move = collections.namedtuple("Move", "state action reward nxt done")


class Corridor:
    def __init__(self, length=10):
        self.length = length
        self.pos = 0

    def encode(self):
        return np.eye(self.length, dtype="float32")[self.pos]

    def reset(self):
        self.pos = self.length // 2
        return self.encode()

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        self.pos = max(self.pos, 0)
        done = self.pos == self.length - 1
        return self.encode(), float(done), done


class Agent:
    def __init__(self, cells, actions=2, gamma=0.95):
        self.actions, self.gamma = actions, gamma
        self.net = keras.Sequential([
            keras.Input((cells,)),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(actions),
        ])
        self.opt = keras.optimizers.Adam(0.01)
        self.memory = collections.deque(maxlen=500)

    def values(self, states):
        return self.net.predict(np.asarray(states), verbose=0)

    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(self.actions)
        return int(np.argmax(self.net(state[None])[0]))

    def replay(self, size=32):
        batch = Move(*zip(*random.sample(self.memory, size)))
        target = np.asarray(batch.reward, "float32") + self.gamma * self.values(batch.nxt).max(axis=1) * (
            1.0 - np.asarray(batch.done, "float32"))
        with tf.GradientTape() as tape:
            q = self.net(np.asarray(batch.state), training=True)
            picked = tf.reduce_sum(q * tf.one_hot(batch.action, self.actions), axis=1)
            loss = tf.reduce_mean(tf.square(target - picked))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return float(loss)


def main():
    keras.utils.set_random_seed(0)
    env = Corridor()
    agent = Agent(env.length)
    for episode in range(3):
        state, losses = env.reset(), []
        for _ in range(20):
            action = agent.act(state, eps=0.8)
            nxt, reward, done = env.step(action)
            agent.memory.append(Move(state, action, reward, nxt, done))
            state = nxt
            if len(agent.memory) >= 32:
                losses.append(agent.replay())
            if done:
                break
        print("episode", episode, "moves", len(agent.memory), "loss", losses[-1:] or None)


if __name__ == "__main__":
    main()
