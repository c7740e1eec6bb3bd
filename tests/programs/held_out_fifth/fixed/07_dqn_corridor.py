"""DQN on a one-dimensional corridor with a target network."""
import random
from collections import deque

import numpy as np
import tensorflow as tf
from keras import Sequential, layers, optimizers


class Corridor:
    def __init__(self, length=8):
        self.length = length
        self.pos = 0

    def obs(self):
        return np.eye(self.length, dtype=np.float32)[self.pos]

    def reset(self):
        self.pos = 0
        return self.obs()

    def step(self, action):
        self.pos = int(np.clip(self.pos + (1 if action else -1), 0, self.length - 1))
        done = self.pos == self.length - 1
        return self.obs(), float(done), done


def q_net(n):
    return Sequential([layers.Input((n,)), layers.Dense(16, activation="relu"), layers.Dense(2)])


class Agent:
    def __init__(self, n, gamma=0.95, sync_every=20):
        self.online, self.target = q_net(n), q_net(n)
        self.opt = optimizers.Adam(0.01)
        self.opt.build(self.online.trainable_variables)
        self.gamma = gamma
        self.sync_every = sync_every
        self.updates = tf.Variable(0, trainable=False)

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(2)
        return int(tf.argmax(self.online(obs[None])[0]))

    def _maybe_sync(self):
        self.updates.assign_add(1)
        if self.updates % self.sync_every == 0:
            for t, o in zip(self.target.variables, self.online.variables):
                t.assign(o)

    @tf.function
    def learn(self, s, a, r, s2, done):
        future = tf.reduce_max(self.target(s2), axis=1)
        goal = r + self.gamma * future * (1.0 - done)
        with tf.GradientTape() as tape:
            q = tf.gather(self.online(s), a, axis=1, batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - q))
        w = self.online.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, w), w))
        self._maybe_sync()
        return loss


def sample(memory, k):
    s, a, r, s2, d = zip(*random.sample(list(memory), k))
    return (
        tf.constant(np.stack(s)),
        tf.constant(a, tf.int32),
        tf.constant(r, tf.float32),
        tf.constant(np.stack(s2)),
        tf.constant(d, tf.float32),
    )


def main():
    random.seed(0)
    env, memory = Corridor(), deque(maxlen=500)
    agent = Agent(env.length)
    before = [w.numpy() for w in agent.target.trainable_variables]
    s, loss = env.reset(), None
    for step in range(240):
        a = agent.act(s, eps=0.5)
        s2, r, done = env.step(a)
        memory.append((s, a, r, s2, float(done)))
        s = env.reset() if done else s2
        if len(memory) >= 32:
            loss = agent.learn(*sample(memory, 32))
    moved = sum(float(np.abs(b - w.numpy()).sum()) for b, w in zip(before, agent.target.trainable_variables))
    print("loss", float(loss), "updates", int(agent.updates), "target moved by", moved)


if __name__ == "__main__":
    main()
