"""Double DQN on a small grid with a soft-updated target and prioritised replay."""
import random

import numpy as np
import tensorflow as tf

SIZE, ACTIONS = 4, 4
MOVES = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Grid:
    def reset(self):
        self.pos, self.t = (0, 0), 0
        return self.obs()

    def obs(self):
        o = np.zeros((SIZE, SIZE), np.float32)
        o[self.pos] = 1.0
        return o.ravel()

    def step(self, a):
        self.t += 1
        self.pos = tuple(int(np.clip(p + d, 0, SIZE - 1)) for p, d in zip(self.pos, MOVES[a]))
        goal = self.pos == (SIZE - 1, SIZE - 1)
        return self.obs(), (1.0 if goal else -0.02), goal or self.t >= 30


class Prioritised:
    """Numpy ring buffer; priorities come back from the graph as arrays."""

    def __init__(self, capacity=512):
        self.s = np.zeros((capacity, SIZE * SIZE), np.float32)
        self.s2 = np.zeros_like(self.s)
        self.a = np.zeros(capacity, np.int32)
        self.r, self.d = np.zeros(capacity, np.float32), np.zeros(capacity, np.float32)
        self.prio = np.zeros(capacity, np.float64)
        self.n = self.head = 0

    def add(self, s, a, r, s2, d):
        i = self.head
        self.s[i], self.a[i], self.r[i], self.s2[i], self.d[i] = s, a, r, s2, d
        self.prio[i] = self.prio[: max(1, self.n)].max() or 1.0
        self.head, self.n = (i + 1) % len(self.a), min(self.n + 1, len(self.a))

    def sample(self, k, beta):
        p = self.prio[: self.n] / self.prio[: self.n].sum()
        idx = np.random.choice(self.n, size=k, p=p)
        w = (self.n * p[idx]) ** -beta
        cols = (self.s, self.a, self.r, self.s2, self.d)
        return idx, [tf.constant(c[idx]) for c in cols] + [tf.constant(w / w.max(), tf.float32)]


def q_net():
    return tf.keras.Sequential([
        tf.keras.Input((SIZE * SIZE,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(ACTIONS),
    ])


class Agent:
    def __init__(self, gamma=0.95, tau=0.05, lr=3e-3):
        self.gamma, self.tau = gamma, tau         # constants for the whole run
        self.online, self.target = q_net(), q_net()
        self.target.set_weights(self.online.get_weights())
        self.opt = tf.keras.optimizers.Adam(lr)
        self.opt.build(self.online.trainable_variables)
        self.updates = 0

    @tf.function
    def q_values(self, obs):
        return self.online(obs)

    def act(self, obs, eps):
        """Plain Python on purpose: eps changes every step."""
        if random.random() < eps:
            return random.randrange(ACTIONS)
        return int(tf.argmax(self.q_values(tf.constant(obs[None]))[0]))

    @tf.function
    def _update(self, s, a, r, s2, d, w):
        best = tf.argmax(self.online(s2), axis=1)
        y = r + self.gamma * (1.0 - d) * tf.gather(self.target(s2), best, axis=1, batch_dims=1)
        with tf.GradientTape() as tape:
            td = y - tf.gather(self.online(s), a, axis=1, batch_dims=1)
            loss = tf.reduce_mean(w * tf.square(td))
        grads = tape.gradient(loss, self.online.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.online.trainable_variables))
        for t, o in zip(self.target.variables, self.online.variables):
            t.assign(self.tau * o + (1.0 - self.tau) * t)
        return tf.abs(td)

    def learn(self, buffer, k, beta):
        idx, batch = buffer.sample(k, beta)
        buffer.prio[idx] = self._update(*batch).numpy() + 1e-3
        self.updates += 1


def main(steps=400, batch=32):
    random.seed(0), np.random.seed(0), tf.random.set_seed(0)
    env, agent, buf = Grid(), Agent(), Prioritised()
    obs, ret, returns = env.reset(), 0.0, []
    for step in range(steps):
        eps = max(0.05, 1.0 - step / 250)
        a = agent.act(obs, eps)
        nxt, r, done = env.step(a)
        buf.add(obs, a, r, nxt, float(done))
        obs, ret = nxt, ret + r
        if step >= batch:
            agent.learn(buf, batch, beta=min(1.0, 0.4 + step / steps))
        if done:
            returns.append(ret)
            obs, ret = env.reset(), 0.0
    print(f"{len(returns)} episodes, first 5 {np.mean(returns[:5]):.2f}, last 5 {np.mean(returns[-5:]):.2f}, "
          f"{agent.updates} updates")


if __name__ == "__main__":
    main()
