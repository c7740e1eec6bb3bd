"""A training loop of one's own: config, counters, best loss, a schedule in a variable, early stopping."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Config:
    units: int = 4
    rate: float = 0.1
    epochs: int = 4
    clip: float | None = 1.0


config = Config()
tf.random.set_seed(1)
w = tf.Variable(tf.random.normal([3, config.units]))
v = tf.Variable(tf.random.normal([config.units, 1]))
rate = tf.Variable(config.rate)
global_step = 0
best = float("inf")
history = []


def predict(x):
    return tf.nn.relu(x @ w) @ v


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predict(x) - y))
    gradients = tape.gradient(loss, [w, v])
    if config.clip is not None:
        gradients = [tf.clip_by_norm(each, config.clip) for each in gradients]
    for variable, gradient in zip([w, v], gradients):
        variable.assign_sub(rate * gradient)
    return loss


@tf.function
def evaluate(x, y):
    return tf.reduce_mean(tf.abs(predict(x) - y))


x, y = tf.random.normal([32, 3]), tf.random.normal([32, 1])
for epoch in range(config.epochs):
    for start in range(0, 32, 8):
        loss = train_step(x[start : start + 8], y[start : start + 8])
        global_step += 1
        history.append(float(loss))
    error = float(evaluate(x, y))
    if error < best:
        best = error
    else:
        rate.assign(rate * 0.5)
    config.epochs = config.epochs
    last_epoch = epoch
print(global_step, len(history))
