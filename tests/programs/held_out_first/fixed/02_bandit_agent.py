"""Contextual bandit with an exploration rate that decays over the interactions."""
from collections import deque

import numpy as np
import tensorflow as tf


class ExponentialDecay:
    def __init__(self, start, floor, rate):
        self.start, self.floor, self.rate = start, floor, rate
        self.ticks = 0

    @property
    def value(self):
        return max(self.floor, self.start * self.rate ** self.ticks)

    def tick(self):
        self.ticks += 1


class BanditAgent(tf.Module):
    def __init__(self, n_context, n_arms, schedule, memory=64):
        super().__init__()
        self.n_arms = n_arms
        self.schedule = schedule
        self.w = tf.Variable(tf.zeros([n_context, n_arms]))
        self.memory = deque(maxlen=memory)

    @tf.function
    def choose(self, contexts, rate):
        scores = tf.matmul(contexts, self.w)
        greedy = tf.argmax(scores, axis=-1, output_type=tf.int32)
        n = tf.shape(contexts)[0]
        explore = tf.random.uniform([n]) < rate
        arms = tf.random.uniform([n], maxval=self.n_arms, dtype=tf.int32)
        return tf.where(explore, arms, greedy), tf.reduce_mean(tf.cast(explore, tf.float32))

    def remember(self, contexts, arms, rewards):
        self.memory.append((contexts, arms, rewards))
        self.schedule.tick()

    @tf.function
    def update(self, contexts, arms, rewards):
        with tf.GradientTape() as tape:
            chosen = tf.gather(tf.matmul(contexts, self.w), arms, batch_dims=1)
            loss = tf.reduce_mean(tf.square(rewards - chosen))
        self.w.assign_sub(0.1 * tape.gradient(loss, self.w))
        return loss


def environment(rng, truth, n):
    contexts = rng.normal(size=(n, truth.shape[0])).astype("float32")

    def reward(arms):
        return (contexts @ truth)[np.arange(n), arms].astype("float32")

    return contexts, reward


def play(rounds=12, batch=256):
    tf.random.set_seed(5)
    rng = np.random.default_rng(5)
    truth = rng.normal(size=(4, 3)).astype("float32")
    agent = BanditAgent(4, 3, ExponentialDecay(1.0, 0.02, 0.6))
    rates = []
    for _ in range(rounds):
        contexts, reward = environment(rng, truth, batch)
        arms, rate = agent.choose(tf.constant(contexts), tf.constant(agent.schedule.value))
        rewards = reward(arms.numpy())
        agent.remember(contexts, arms, rewards)
        agent.update(tf.constant(contexts), arms, tf.constant(rewards))
        rates.append(round(float(rate), 2))
    return rates


print("share of random actions per round:", play())
