"""DQN on a toy corridor, with a target network."""
import collections
import random

import numpy as np
import tensorflow as tf

N_STATES, N_ACTIONS = 6, 2


class Corridor:
    def reset(self):
        self.pos = 0
        return self._obs()

    def _obs(self):
        v = np.zeros(N_STATES, "float32")
        v[self.pos] = 1.0
        return v

    def step(self, action):
        self.pos = max(0, min(N_STATES - 1, self.pos + (1 if action else -1)))
        done = self.pos == N_STATES - 1
        return self._obs(), 1.0 if done else -0.01, done


def q_net():
    return tf.keras.Sequential([
        tf.keras.Input((N_STATES,)),
        tf.keras.layers.Dense(16, activation="relu"),
        tf.keras.layers.Dense(N_ACTIONS),
    ])


class Agent(tf.Module):
    def __init__(self, sync_every=10, gamma=0.9):
        super().__init__()
        self.online, self.target = q_net(), q_net()
        self.target.set_weights(self.online.get_weights())
        self.opt = tf.keras.optimizers.Adam(0.02)
        self.opt.build(self.online.trainable_variables)
        self.sync_every = sync_every
        self.gamma = gamma
        self.updates = tf.Variable(0, trainable=False)

    def _maybe_sync(self):
        self.updates.assign_add(1)
        if self.updates % self.sync_every == 0:
            for t, o in zip(self.target.variables, self.online.variables):
                t.assign(o)

    @tf.function
    def learn(self, s, a, r, s2, done):
        best = tf.reduce_max(self.target(s2), axis=1)
        goal = r + self.gamma * (1.0 - done) * best
        with tf.GradientTape() as tape:
            q = tf.gather(self.online(s), a, batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - q))
        grads = tape.gradient(loss, self.online.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.online.trainable_variables))
        self._maybe_sync()
        return loss

    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(N_ACTIONS)
        return int(tf.argmax(self.online(state[None])[0]))


def batch_of(memory, n=16):
    cols = [np.array(c) for c in zip(*random.sample(memory, n))]
    return (tf.constant(cols[0], tf.float32), tf.constant(cols[1], tf.int32), tf.constant(cols[2], tf.float32),
            tf.constant(cols[3], tf.float32), tf.constant(cols[4], tf.float32))


def main():
    random.seed(0)
    tf.random.set_seed(0)
    env, agent, memory = Corridor(), Agent(), collections.deque(maxlen=500)
    before = [v.numpy().copy() for v in agent.target.variables]
    loss = 0.0
    for episode in range(8):
        state = env.reset()
        for _ in range(15):
            action = agent.act(state, eps=0.5)
            nxt, reward, done = env.step(action)
            memory.append((state, action, reward, nxt, float(done)))
            state = nxt
            if len(memory) >= 32:
                loss = agent.learn(*batch_of(memory))
            if done:
                break
    moved = sum(float(np.abs(v.numpy() - b).sum()) for v, b in zip(agent.target.variables, before))
    print("loss %.4f  target moved by %.4f" % (float(loss), moved))


if __name__ == "__main__":
    main()
