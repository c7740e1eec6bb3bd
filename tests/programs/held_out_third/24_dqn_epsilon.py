"""DQN on a little corridor world. Epsilon-greedy with exponential decay."""
import collections
import random

import numpy as np
import tensorflow as tf

Transition = collections.namedtuple("Transition", "s a r s2 done")


class Corridor:
    """Walk right to the end of the corridor. Reward 1 at the end, -0.01 otherwise."""

    def __init__(self, length=8, max_steps=25):
        self.length, self.max_steps = length, max_steps

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        v = np.zeros(self.length, np.float32)
        v[self.pos] = 1.0
        return v

    def step(self, action):
        self.t += 1
        self.pos = int(np.clip(self.pos + (1 if action == 1 else -1), 0, self.length - 1))
        done = self.pos == self.length - 1 or self.t >= self.max_steps
        return self._obs(), (1.0 if self.pos == self.length - 1 else -0.01), done


class ReplayBuffer:
    def __init__(self, capacity=2000):
        self.data = collections.deque(maxlen=capacity)

    def add(self, *args):
        self.data.append(Transition(*args))

    def __len__(self):
        return len(self.data)

    def sample(self, n):
        batch = random.sample(self.data, n)
        s, a, r, s2, d = zip(*batch)
        return (
            tf.constant(np.stack(s)), tf.constant(a, tf.int32), tf.constant(r, tf.float32),
            tf.constant(np.stack(s2)), tf.constant(d, tf.float32),
        )


def q_network(n_obs, n_actions):
    return tf.keras.Sequential([
        tf.keras.Input((n_obs,)),
        tf.keras.layers.Dense(24, activation="relu"),
        tf.keras.layers.Dense(n_actions),
    ])


class Agent:
    def __init__(self, n_obs, n_actions, gamma=0.95, lr=5e-3):
        self.n_actions, self.gamma = n_actions, gamma
        self.q = q_network(n_obs, n_actions)
        self.target = q_network(n_obs, n_actions)
        self.sync()
        self.opt = tf.keras.optimizers.Adam(lr)
        self.eps, self.eps_min, self.eps_decay = 1.0, 0.05, 0.97

    def sync(self):
        self.target.set_weights(self.q.get_weights())

    @tf.function
    def act(self, obs, eps):
        """Epsilon-greedy action for a single observation."""
        if tf.random.uniform([]) < eps:
            return tf.random.uniform([], 0, self.n_actions, dtype=tf.int32)
        q = self.q(obs[None, :])
        return tf.argmax(q[0], output_type=tf.int32)

    @tf.function
    def learn(self, s, a, r, s2, d):
        best = tf.reduce_max(self.target(s2), axis=1)
        y = r + self.gamma * (1.0 - d) * best
        with tf.GradientTape() as tape:
            q = tf.gather(self.q(s), a, axis=1, batch_dims=1)
            loss = tf.reduce_mean(tf.square(y - q))
        grads = tape.gradient(loss, self.q.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.q.trainable_variables))
        return loss

    def decay(self):
        self.eps = max(self.eps_min, self.eps * self.eps_decay)


def train(total_steps=110, batch=16):
    env, buf = Corridor(), ReplayBuffer()
    agent = Agent(env.length, 2)
    obs, ep_ret, returns, losses = env.reset(), 0.0, [], []
    for step in range(total_steps):
        action = int(agent.act(tf.constant(obs), agent.eps))
        nxt, reward, done = env.step(action)
        buf.add(obs, action, reward, nxt, float(done))
        obs, ep_ret = nxt, ep_ret + reward
        if len(buf) >= batch:
            losses.append(float(agent.learn(*buf.sample(batch))))
            agent.decay()
        if step % 25 == 0:
            agent.sync()
        if done:
            returns.append(ep_ret)
            obs, ep_ret = env.reset(), 0.0
    print(f"episodes {len(returns)}  last loss {losses[-1]:.4f}  eps {agent.eps:.3f}")
    return agent


if __name__ == "__main__":
    random.seed(0); np.random.seed(0); tf.random.set_seed(0)
    train()
