"""Robust regression; the loss is chosen by the phase of training."""
import enum

import numpy as np
import tensorflow as tf


class Stage(enum.Enum):
    WARMUP = "warmup"
    MAIN = "main"
    POLISH = "polish"


def residual_loss(stage, residual):
    scale = tf.math.reduce_std(residual)
    if stage is Stage.WARMUP:
        loss = tf.abs(residual)
    elif stage is Stage.MAIN:
        if scale > 2.0:
            loss = tf.minimum(tf.square(residual), 4.0)
        else:
            loss = tf.square(residual)
    else:
        loss = tf.math.log(tf.cosh(residual))
    return tf.reduce_mean(loss)


class Regressor(tf.Module):
    def __init__(self, features):
        super().__init__()
        self.w = tf.Variable(tf.zeros([features, 1]))
        self.b = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        return x @ self.w + self.b


class StagedTrainer:
    def __init__(self, model, lr=0.05):
        self.model = model
        self.lr = lr

    @tf.function
    def step(self, x, y, stage):
        with tf.GradientTape() as tape:
            loss = residual_loss(stage, y - self.model(x))
        for v, g in zip(self.model.trainable_variables, tape.gradient(loss, self.model.trainable_variables)):
            v.assign_sub(self.lr * g)
        return loss

    def fit(self, data, plan):
        for stage, epochs in plan.items():
            for _ in range(epochs):
                for x, y in data:
                    loss = self.step(x, y, stage)
            print(stage.value, "%.4f" % float(loss))


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 3)).astype("float32")
    y = (x @ [[1.0], [2.0], [-1.0]] + 0.5 + rng.standard_t(2, size=(120, 1))).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(40)
    trainer = StagedTrainer(Regressor(3))
    trainer.fit(data, {Stage.WARMUP: 5, Stage.MAIN: 10, Stage.POLISH: 5})
    print(trainer.model.w.numpy().ravel().round(2))


if __name__ == "__main__":
    main()
