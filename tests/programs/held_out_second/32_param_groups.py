"""Two learning rates: parameter groups are collected when the trainer is set up."""
import numpy as np
import tensorflow as tf


class Encoder(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.first = tf.keras.layers.Dense(units, activation="relu")
        self.second = tf.keras.layers.Dense(units, activation="relu")

    def call(self, x):
        return self.second(self.first(x))


class Head(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)


class Group:
    def __init__(self, params, rate):
        self.params = params
        self.rate = rate

    def update(self, grads):
        for p, g in zip(self.params, grads):
            p.assign_sub(self.rate * g)


class Trainer:
    def __init__(self, encoder, head, slow=0.01, fast=0.1):
        self.encoder, self.head = encoder, head
        self.groups = [Group(encoder.trainable_variables, slow), Group(head.trainable_variables, fast)]

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.head(self.encoder(x)) - y))
        grads = tape.gradient(loss, [g.params for g in self.groups])
        for group, part in zip(self.groups, grads):
            group.update(part)
        return loss


def main():
    tf.keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(128, 5)).astype("float32")
    y = (x[:, :1] * x[:, 1:2]).astype("float32")
    trainer = Trainer(Encoder(16), Head())
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
    history = []
    for epoch in range(8):
        history.append(float(np.mean([float(trainer.step(a, b)) for a, b in ds])))
    print("loss", ["%.5f" % h for h in history])


if __name__ == "__main__":
    main()
