"""Self-play on a small matrix game (a biased rock-paper-scissors).

The learner plays against an opponent from the league. After every generation
a copy of the learner joins the league and becomes the next opponent.
"""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow import keras

# row player's payoff
PAYOFF = np.array([[0.0, -1.0, 2.0],
                   [1.0, 0.0, -1.0],
                   [-2.0, 1.0, 0.0]], dtype=np.float32)
OBS = 4


def make_policy(name):
    return keras.Sequential([
        keras.Input((OBS,)),
        keras.layers.Dense(16, activation="tanh"),
        keras.layers.Dense(3),
    ], name=name)


def freeze_copy(policy, name):
    clone = make_policy(name)
    clone.set_weights(policy.get_weights())
    clone.trainable = False
    return clone


class SelfPlay:
    def __init__(self, lr=0.05, entropy=0.01):
        self.learner = make_policy("learner")
        self.opponent = freeze_copy(self.learner, "gen0")
        self.league = [self.opponent]
        self.opt = keras.optimizers.SGD(lr)
        self.entropy = entropy
        self.payoff = tf.constant(PAYOFF)

    @tf.function
    def update(self, obs):
        """One policy-gradient step with the exact expected payoff."""
        enemy = tf.nn.softmax(self.opponent(obs))
        with tf.GradientTape() as tape:
            logits = self.learner(obs)
            probs = tf.nn.softmax(logits)
            value = tf.reduce_sum(probs * tf.matmul(enemy, self.payoff, transpose_b=True), axis=-1)
            ent = -tf.reduce_sum(probs * tf.nn.log_softmax(logits), axis=-1)
            loss = -tf.reduce_mean(value + self.entropy * ent)
        grads = tape.gradient(loss, self.learner.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.learner.trainable_variables))
        return tf.reduce_mean(value)

    def promote(self, generation):
        """The current learner becomes the opponent of the next generation."""
        snap = freeze_copy(self.learner, f"gen{generation}")
        self.league.append(snap)
        self.opponent = snap

    def run(self, generations, steps, batch=32):
        for g in range(1, generations + 1):
            first = last = None
            for _ in range(steps):
                obs = tf.random.normal((batch, OBS))
                v = float(self.update(obs))
                first = v if first is None else first
                last = v
            print(f"gen {g:2d}  value at start {first:+.3f}  at end {last:+.3f}")
            self.promote(g)


def head_to_head(a, b, n=256):
    """Expected payoff of a against b."""
    obs = tf.random.normal((n, OBS))
    pa, pb = tf.nn.softmax(a(obs)), tf.nn.softmax(b(obs))
    return float(tf.reduce_mean(tf.reduce_sum(pa * tf.matmul(pb, PAYOFF, transpose_b=True), axis=-1)))


def mean_strategy(policy, n=256):
    return tf.reduce_mean(tf.nn.softmax(policy(tf.random.normal((n, OBS)))), axis=0).numpy().round(2)


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--generations", type=int, default=6)
    cli.add_argument("--steps", type=int, default=60)
    cli.add_argument("--seed", type=int, default=9)
    opts = cli.parse_args()
    keras.utils.set_random_seed(opts.seed)
    game = SelfPlay()
    game.run(opts.generations, opts.steps)
    for i, member in enumerate(game.league):
        print(f"gen{i} plays {mean_strategy(member)}  learner vs gen{i}: {head_to_head(game.learner, member):+.3f}")
