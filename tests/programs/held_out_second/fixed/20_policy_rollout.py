"""REINFORCE on a one dimensional balance task."""
import numpy as np
from tensorflow import keras
import tensorflow as tf


class Balance:
    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.state = self.rng.normal(0, 0.1, 2).astype("float32")
        return self.state

    def step(self, action):
        push = 1.0 if action else -1.0
        x, v = self.state
        v = 0.9 * v + 0.1 * push + 0.05 * x
        self.state = np.array([x + v, v], "float32")
        done = abs(self.state[0]) > 1.0
        return self.state, 1.0, done


class PolicyAgent:
    def __init__(self, gamma=0.95):
        self.gamma = gamma
        self.policy = keras.Sequential([keras.Input((2,)), keras.layers.Dense(8, activation="tanh"),
                                        keras.layers.Dense(2, activation="softmax")])
        self.optimizer = keras.optimizers.Adam(0.02)

    def act(self, state, rng):
        probs = self.policy(state[np.newaxis], training=False)[0].numpy().astype("float64")
        return rng.choice(2, p=probs / probs.sum())

    def returns(self, rewards):
        out, running = [], 0.0
        for r in reversed(rewards):
            running = r + self.gamma * running
            out.append(running)
        return np.array(out[::-1], "float32")

    def update(self, states, actions, rewards):
        returns = self.returns(rewards)
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
        with tf.GradientTape() as tape:
            probs = self.policy(np.stack(states))
            chosen = tf.gather(probs, np.array(actions), batch_dims=1)
            loss = -tf.reduce_mean(tf.math.log(chosen + 1e-8) * returns)
        grads = tape.gradient(loss, self.policy.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.policy.trainable_variables))
        return float(loss)


def episode(env, agent, rng, limit=25):
    states, actions, rewards = [], [], []
    state = env.reset()
    while len(rewards) < limit:
        action = agent.act(state, rng)
        states.append(state)
        state, reward, done = env.step(action)
        actions.append(action)
        rewards.append(reward)
        if done:
            break
    return states, actions, rewards


def main():
    keras.utils.set_random_seed(0)
    env, agent, rng = Balance(), PolicyAgent(), np.random.default_rng(1)
    lengths = []
    for _ in range(4):
        trajectory = episode(env, agent, rng)
        agent.update(*trajectory)
        lengths.append(len(trajectory[2]))
    print("lengths", lengths)


if __name__ == "__main__":
    main()
