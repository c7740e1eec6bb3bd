"""Logistic regression; all bookkeeping happens outside the compiled step."""
import logging
import random
import time

import numpy as np
import tensorflow as tf

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("logreg")

HISTORY = []
best = float("inf")

w = tf.Variable(tf.zeros([6, 1]))
b = tf.Variable(0.0)


@tf.function
def step(x, y, lr):
    with tf.GradientTape() as tape:
        logits = tf.squeeze(x @ w, 1) + b
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(lr * gw)
    b.assign_sub(lr * gb)
    return loss


def note(epoch, value):
    global best
    best = min(best, value)
    HISTORY.append({"epoch": epoch, "loss": value, "at": time.time()})
    log.info("epoch %d loss %.4f best %.4f", epoch, value, best)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 6)).astype("float32")
    y = (x[:, 0] > x[:, 1]).astype("float32")
    order = list(range(0, 120, 20))
    lr = tf.Variable(0.5, trainable=False)
    for epoch in range(5):
        random.shuffle(order)
        total = 0.0
        for start in order:
            rows = slice(start, start + 20)
            total += step(tf.constant(x[rows]), tf.constant(y[rows]), lr).numpy()
        note(epoch, total / len(order))
        lr.assign(0.5 / (epoch + 2))
        print(f"w norm {np.linalg.norm(w.numpy()):.3f}")


if __name__ == "__main__":
    main()
