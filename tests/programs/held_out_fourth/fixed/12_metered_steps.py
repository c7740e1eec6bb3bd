"""Trainer whose steps are metered for a throughput report."""
import collections
import functools

import numpy as np
import tensorflow as tf
import keras

METER = collections.Counter()


def metered(fn):
    @functools.wraps(fn)
    def wrapper(self, x, *rest):
        METER[fn.__name__ + ".calls"] += 1
        METER[fn.__name__ + ".samples"] += int(x.shape[0])
        return fn(self, x, *rest)
    return wrapper


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @metered
    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    @metered
    @tf.function
    def eval_step(self, x):
        return tf.argmax(self.model(x, training=False), axis=-1)


def load(n=320, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6)).astype("float32")
    return x, (x[:, 0] > x[:, 1]).astype("int64")


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    x, y = load()
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(16, activation="relu"),
                              keras.layers.Dense(2)])
    trainer = Trainer(model, keras.optimizers.Adam(1e-2))
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32, drop_remainder=True)
    for epoch in range(4):
        for xb, yb in ds:
            loss = trainer.train_step(xb, yb)
    hits = sum(int(tf.reduce_sum(tf.cast(trainer.eval_step(xb) == yb, tf.int32))) for xb, yb in ds)
    print(f"loss {float(loss):.4f} accuracy {hits / len(x):.3f}")
    for key, value in sorted(METER.items()):
        print(f"{key:20s} {value}")
