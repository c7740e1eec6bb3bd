"""Deep ensemble: several seeds, each member with its own compiled step.

Afterwards the two worst members are fine-tuned with the trunk frozen.
"""
import logging

import keras
import numpy as np
import tensorflow as tf

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("ensemble")


def dataset(n=384, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, size=(n, 2)).astype(np.float32)
    y = np.sin(x[:, :1]) * np.cos(x[:, 1:]) + 0.1 * rng.normal(size=(n, 1))
    return tf.constant(x), tf.constant(y, tf.float32)


def member(seed):
    keras.utils.set_random_seed(seed)
    inp = keras.Input((2,))
    h = keras.layers.Dense(32, activation="tanh", name="trunk")(inp)
    return keras.Model(inp, keras.layers.Dense(1, name="head")(h))


def compiled_step(model, lr):
    """A fresh graph for this model, optimizer and the present set of trainable weights."""
    variables = list(model.trainable_variables)
    opt = keras.optimizers.Adam(lr)
    opt.build(variables)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        opt.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return step, opt


def train(model, x, y, steps, lr):
    step, opt = compiled_step(model, lr)
    loss = None
    for i in range(steps):
        if i == steps // 2:
            opt.learning_rate = lr * 0.1          # a variable underneath, no new trace needed
        loss = step(x, y)
    return float(loss)


def main(n_members=4):
    x, y = dataset()
    x_val, y_val = dataset(128, seed=1)
    members, scores = [], []
    for seed in range(n_members):
        model = member(seed)
        loss = train(model, x, y, steps=60, lr=1e-2)
        scores.append(float(tf.reduce_mean(tf.square(model(x_val) - y_val))))
        members.append(model)
        log.info("member %d train %.4f val %.4f", seed, loss, scores[-1])
    for idx in np.argsort(scores)[-2:]:
        model = members[idx]
        model.get_layer("trunk").trainable = False
        before = model.get_layer("trunk").kernel.numpy().copy()
        train(model, x, y, steps=20, lr=3e-3)
        moved = np.abs(model.get_layer("trunk").kernel.numpy() - before).max()
        log.info("fine-tuned member %d, trunk moved %.1e", idx, moved)
    preds = tf.stack([m(x_val) for m in members])
    log.info("ensemble val %.4f, spread %.4f",
             float(tf.reduce_mean(tf.square(tf.reduce_mean(preds, 0) - y_val))),
             float(tf.reduce_mean(tf.math.reduce_std(preds, 0))))


if __name__ == "__main__":
    main()
