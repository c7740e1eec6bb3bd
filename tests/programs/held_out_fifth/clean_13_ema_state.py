"""Exponential moving average of weights with a warm-up, stored in variables."""
import numpy as np
import tensorflow as tf


class EMA(tf.Module):
    def __init__(self, variables, decay=0.95, warmup=5):
        super().__init__()
        self.live = variables
        self.shadow = [tf.Variable(v, trainable=False) for v in variables]
        self.decay, self.warmup = decay, warmup
        self.step = tf.Variable(0, trainable=False)

    def update(self):
        self.step.assign_add(1)
        if self.step <= self.warmup:
            rate = 0.0
        else:
            rate = self.decay
        for s, v in zip(self.shadow, self.live):
            s.assign(rate * s + (1.0 - rate) * v)
        return rate


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([3, 1], [1, 9]))
        self.ema = EMA([self.w])
        self.temperature = 1.0

    @tf.function
    def train(self, x, y, temperature):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w / temperature - y))
        self.w.assign_sub(0.05 * tape.gradient(loss, self.w))
        return loss, self.ema.update()

    def fit(self, x, y, steps):
        for i in range(steps):
            self.temperature = 1.0 + 1.0 / (i + 1)
            loss, rate = self.train(x, y, tf.constant(self.temperature))
        return float(loss), float(rate)


def main():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(50, 3)), tf.float32)
    y = tf.reduce_sum(x, axis=1, keepdims=True)
    m = Model()
    print(m.fit(x, y, 20), m.temperature)
    print("live", m.w.numpy().ravel(), "ema", m.ema.shadow[0].numpy().ravel())


if __name__ == "__main__":
    main()
