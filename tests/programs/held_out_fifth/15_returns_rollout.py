"""Discounted returns for a batch of reward streams, used by a tiny REINFORCE baseline."""
import numpy as np
import tensorflow as tf


def discounted(rewards, gamma, running=0):
    """Backward recursion over time; rewards is [T, B]."""
    steps = tf.shape(rewards)[0]
    out = tf.TensorArray(tf.float32, size=steps)
    for i in tf.range(steps):
        t = steps - 1 - i
        running = tf.reduce_mean(rewards[t]) + gamma * running
        out = out.write(t, running)
    return out.stack()


class Baseline(tf.Module):
    def __init__(self, feats):
        super().__init__()
        self.w = tf.Variable(tf.zeros([feats, 1]))

    def __call__(self, s):
        return tf.squeeze(s @ self.w, -1)


class Fitter:
    def __init__(self, baseline, gamma=0.97, lr=0.02):
        self.baseline, self.gamma, self.lr = baseline, gamma, lr

    @tf.function
    def fit(self, states, rewards):
        target = discounted(rewards, self.gamma)
        with tf.GradientTape() as tape:
            err = self.baseline(states) - target
            loss = tf.reduce_mean(tf.square(err))
        self.baseline.w.assign_sub(self.lr * tape.gradient(loss, self.baseline.w))
        return loss


def rollouts(T=30, B=8, F=4, seed=1):
    rng = np.random.default_rng(seed)
    states = rng.normal(size=(T, F)).astype("float32")
    rewards = states[:, :1] * 0.3 + 0.1 * rng.normal(size=(T, B))
    return tf.constant(states), tf.constant(rewards.astype("float32"))


def main():
    fitter = Fitter(Baseline(4))
    for seed in range(10):
        states, rewards = rollouts(seed=seed)
        loss = fitter.fit(states, rewards)
    print("loss", float(loss))


if __name__ == "__main__":
    main()
