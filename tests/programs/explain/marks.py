"""Programs whose pages are kept as snapshots."""

import random

import keras
import tensorflow as tf

seen = []
rate = 0.5


def helper(x):
    if tf.reduce_sum(x) > 0:
        return x * 2
    return x


@tf.function
def everything(x, n, training=False):
    """Every mark once."""
    total = tf.zeros([])
    width = x.shape[0]
    seen.append(1)
    print("tracing")
    for i in tf.range(n):
        if x[i] > 0:
            total += x[i]
        else:
            total -= rate
    for k in range(3):
        total = helper(total) + k
    if training:
        total = total * 2
    elif width == 4:
        total = total * 3
    values = [
        total,
        total + 1,
    ]
    size = tf.size(x)
    return total if total > 0 else -total, values, size


@tf.function
def while_loop(x):
    step = 0
    while tf.reduce_sum(x) > 1.0:
        x = x / 2
        step += 1
        if step > 10:
            break
    return x, step


@tf.function
def leak(x):
    parts = []
    for i in tf.range(3):
        parts.append(x[i] * 2)
    return tf.stack(parts)


class Trainer:
    def __init__(self, units=4):
        self.model = keras.Sequential([keras.Input([3]), keras.layers.Dense(units), keras.layers.Dense(1)])
        self.optimizer = keras.optimizers.SGD(0.1)
        self.steps = 0

    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([None, 1])])
    def train_step(self, x, y):
        self.steps += 1
        with tf.GradientTape() as tape:
            prediction = self.model(x, training=True)
            loss = tf.reduce_mean(tf.square(prediction - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


def frozen(x):
    return x * random.random()


counter = 0


def side_effects(x):
    global counter
    counter += 1
    seen.append(2)
    print("called")
    return x


def drawn(x):
    return x + tf.random.normal([2])


weight = tf.Variable(2.0)


def honest(x):
    weight.assign_add(1.0)
    for _ in tf.range(3):
        x = x * weight
    return x


@tf.function
def dropped(x):
    array = tf.TensorArray(tf.float32, size=2)
    for i in tf.range(2):
        array.write(i, x[i])
    return array.stack()


def walrus(x):
    if (total := tf.reduce_sum(x)) > 0:
        return x
    return x * total
