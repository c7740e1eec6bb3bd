"""Epsilon-greedy agent on a contextual bandit."""
import typing

import numpy as np
import tensorflow as tf
import keras


class Decay(typing.NamedTuple):
    start: float = 1.0
    end: float = 0.05
    rate: float = 0.97

    def values(self, n):
        eps = self.start
        for _ in range(n):
            yield eps
            eps = max(self.end, eps * self.rate)


class Agent:
    def __init__(self, n_features, n_arms):
        self.n_arms = n_arms
        self.q = keras.Sequential([keras.Input((n_features,)),
                                   keras.layers.Dense(16, activation="relu"),
                                   keras.layers.Dense(n_arms)])
        self.opt = keras.optimizers.Adam(1e-2)

    @tf.function
    def act(self, obs, eps):
        greedy = tf.argmax(self.q(obs), axis=-1, output_type=tf.int32)
        random = tf.random.uniform(tf.shape(greedy), 0, self.n_arms, tf.int32)
        explore = tf.random.uniform(tf.shape(greedy)) < eps
        return tf.where(explore, random, greedy)

    @tf.function
    def learn(self, obs, arms, rewards):
        with tf.GradientTape() as tape:
            q = tf.gather(self.q(obs), arms, batch_dims=1)
            loss = tf.reduce_mean(tf.square(q - rewards))
        grads = tape.gradient(loss, self.q.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.q.trainable_variables))
        return loss


class Bandit:
    def __init__(self, n_features=4, n_arms=3, seed=0):
        self.rng = np.random.default_rng(seed)
        self.w = self.rng.normal(size=(n_features, n_arms))

    def observe(self, n=32):
        return self.rng.normal(size=(n, self.w.shape[0])).astype("float32")

    def pull(self, obs, arms):
        return (obs @ self.w)[np.arange(len(arms)), arms].astype("float32")


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    bandit, agent = Bandit(), Agent(4, 3)
    for episode, eps in enumerate(Decay().values(80)):
        obs = bandit.observe()
        arms = agent.act(obs, eps)
        rewards = bandit.pull(obs, arms.numpy())
        loss = agent.learn(obs, arms, rewards)
        if episode % 20 == 19:
            print(f"episode {episode + 1} eps {eps:.3f} reward {rewards.mean():.3f} loss {float(loss):.3f}")
