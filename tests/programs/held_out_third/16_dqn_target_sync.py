"""DQN on a short corridor; online and target networks are small Keras models."""
from collections import deque
from dataclasses import dataclass
import random

import numpy as np
import tensorflow as tf


@dataclass
class AgentConfig:
    n_states: int = 6
    gamma: float = 0.9
    lr: float = 5e-3
    sync_every: int = 20
    batch: int = 32
    epsilon: float = 0.3


class Corridor:
    def __init__(self, n):
        self.n, self.pos = n, 0

    def reset(self):
        self.pos = 0
        return self.pos

    def step(self, action):
        self.pos = max(0, self.pos + (1 if action == 1 else -1))
        done = self.pos == self.n - 1
        return self.pos, (1.0 if done else -0.01), done


def q_network(cfg):
    return tf.keras.Sequential([
        tf.keras.Input((cfg.n_states,)),
        tf.keras.layers.Dense(24, activation="relu"),
        tf.keras.layers.Dense(2),
    ])


class DQNAgent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.online, self.target = q_network(cfg), q_network(cfg)
        self.opt = tf.keras.optimizers.Adam(cfg.lr)
        self.updates = 0
        self.sync_target()

    def sync_target(self):
        for dst, src in zip(self.target.variables, self.online.variables):
            dst.assign(src)

    def act(self, state):
        if random.random() < self.cfg.epsilon:
            return random.randrange(2)
        return int(tf.argmax(self.online(self.encode([state]))[0]))

    def encode(self, states):
        return tf.one_hot(states, self.cfg.n_states)

    def after_update(self):
        self.updates += 1
        if self.updates % self.cfg.sync_every == 0:
            self.sync_target()

    @tf.function
    def learn(self, s, a, r, s2, done):
        best_next = tf.reduce_max(self.target(self.encode(s2)), axis=1)
        goal = r + self.cfg.gamma * (1.0 - done) * best_next
        with tf.GradientTape() as tape:
            q = tf.gather(self.online(self.encode(s), training=True), a, batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - q))
        grads = tape.gradient(loss, self.online.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.online.trainable_variables))
        self.after_update()
        return loss


def to_tensors(rows):
    s, a, r, s2, d = zip(*rows)
    return (tf.constant(s, tf.int32), tf.constant(a, tf.int32), tf.constant(r, tf.float32),
            tf.constant(s2, tf.int32), tf.constant(d, tf.float32))


def main():
    random.seed(0)
    tf.keras.utils.set_random_seed(0)
    cfg = AgentConfig()
    env, agent, memory = Corridor(cfg.n_states), DQNAgent(cfg), deque(maxlen=2000)
    state = env.reset()
    for t in range(400):
        action = agent.act(state)
        nxt, reward, done = env.step(action)
        memory.append((state, action, reward, nxt, float(done)))
        state = env.reset() if done else nxt
        if len(memory) >= cfg.batch:
            agent.learn(*to_tensors(random.sample(memory, cfg.batch)))
    q = agent.online(tf.eye(cfg.n_states)).numpy()
    print(np.round(q, 2))
    print("start-state value", round(float(q[0].max()), 3), "ideal", round(cfg.gamma ** 4 - 0.034, 3))


if __name__ == "__main__":
    main()
